/**
 * The worker's rounds over waiting bills, of all environments of one kind; live environments have rounds and places of
 * their own. What a killed worker held is asked about, not vended.
 */
import type { EnvironmentKind } from "../platform/database/database.ts";
import { aboutRecord } from "../platform/log-subject.ts";
import { createClaimRounds, type Rounds, roomBy } from "../platform/work/claim-rounds.ts";
import { joining } from "../platform/work/hand-over.ts";
import type { Pursuit } from "../rails/pursue-order.ts";
import { createOpenTakes } from "../rails/wait-for-rail.ts";
import type { Bill } from "./bill.ts";
import { pursueBills, type SendDependencies } from "./bill-order.ts";
import { claimBills, findWaitingLanes } from "./claim-store.ts";
import type { ClaimedBill, VendingDesk } from "./start-at-once.ts";

export interface SenderDependencies extends SendDependencies {
  /** Where bills that are accepted in this process come in. */
  readonly vendingDesk: VendingDesk;
}

export function createBillSender(deps: SenderDependencies, kind: EnvironmentKind): Rounds {
  const pursuit = pursueBills(deps);
  const openTakes = createOpenTakes(deps.rails.biller, kind);
  const rounds = createClaimRounds<ClaimedBill>({
    ...roomBy[kind],
    look: () => findWaitingLanes(deps.db, kind),
    claim: async (takes) => claimBills(deps.db, await openTakes(takes)),
    laneOf: ({ environmentId, bill }) => ({ environmentId, counterparty: bill.provider }),
    advance: (claimed) => advance(deps, pursuit, kind, claimed),
  });
  return joining(rounds, kind, deps.vendingDesk);
}

async function advance(
  { log }: SendDependencies,
  pursuit: Pursuit<Bill>,
  kind: EnvironmentKind,
  { environmentId, bill, fresh }: ClaimedBill,
): Promise<void> {
  const key = { environmentId, kind, id: bill.id };
  const further = () => {
    if (fresh) return pursuit.send(key, bill);
    return bill.status === "pending" ? pursuit.begin(key, bill) : pursuit.takeUp(key);
  };
  await aboutRecord({ environmentId, recordId: bill.id }, () =>
    further().catch((error: unknown) => log.error({ err: error }, "a bill could not be taken further")),
  );
}
