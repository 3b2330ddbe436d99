/**
 * The worker's rounds over waiting bills, of all environments of one kind; live environments have rounds and places of
 * their own. What a killed worker held is asked about, not vended.
 */
import type { EnvironmentKind } from "../platform/database/database.ts";
import { aboutRecord } from "../platform/log-subject.ts";
import { createClaimRounds, type Rounds, roomBy, type Take } from "../platform/work/claim-rounds.ts";
import { joining } from "../platform/work/hand-over.ts";
import type { Pursuit } from "../rails/pursue-order.ts";
import { type ClosedTakes, createClosedTakes } from "../rails/wait-for-rail.ts";
import type { Bill } from "./bill.ts";
import { pursueBills, type SendDependencies } from "./bill-order.ts";
import { claimBills, findWaitingLanes, type StartingTake } from "./claim-store.ts";
import type { ClaimedBill, VendingDesk } from "./start-at-once.ts";

export interface SenderDependencies extends SendDependencies {
  /** Where bills that are accepted in this process come in. */
  readonly vendingDesk: VendingDesk;
}

export function createBillSender(deps: SenderDependencies, kind: EnvironmentKind): Rounds {
  const pursuit = pursueBills(deps);
  const whileClosed = createClosedTakes(deps.rails.biller);
  const rounds = createClaimRounds<ClaimedBill>({
    ...roomBy[kind],
    look: () => findWaitingLanes(deps.db, kind),
    claim: async (takes) => {
      const startable = await Promise.all(takes.map((take) => withStart(deps.rails, whileClosed, kind, take)));
      return claimBills(deps.db, startable.flat());
    },
    laneOf: ({ environmentId, bill }) => ({ environmentId, counterparty: bill.provider }),
    advance: (claimed) => advance(deps, pursuit, kind, claimed),
  });
  return joining(rounds, kind, deps.vendingDesk);
}

async function withStart(
  { biller }: SendDependencies["rails"],
  whileClosed: ClosedTakes,
  kind: EnvironmentKind,
  take: Take,
): Promise<StartingTake[]> {
  const user = { environmentId: take.environmentId, kind };
  const rail = await biller.plain(user);
  if (rail !== null) return [{ ...take, starts: rail.requestIds === "uuid" }];
  const taken = await whileClosed(user, take);
  return taken === null ? [] : [{ ...taken, starts: false }];
}

async function advance(
  { log }: SendDependencies,
  pursuit: Pursuit<Bill>,
  kind: EnvironmentKind,
  { environmentId, bill, fresh }: ClaimedBill,
): Promise<void> {
  const key = { environmentId, kind, id: bill.id };
  await aboutRecord({ environmentId, recordId: bill.id }, () =>
    (fresh ? pursuit.send(key, bill) : pursuit.takeUp(key)).catch((error: unknown) =>
      log.error({ err: error }, "a bill could not be taken further"),
    ),
  );
}
