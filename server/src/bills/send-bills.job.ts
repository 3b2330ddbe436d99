/**
 * The worker's rounds over waiting bills, of all environments of one kind; live environments have rounds and places of
 * their own. What a killed worker held is asked about, not vended.
 */
import type { EnvironmentKind } from "../platform/database/database.ts";
import { type ClaimRounds, createClaimRounds, inHandBy, type Take } from "../platform/work/claim-rounds.ts";
import type { Pursuit } from "../rails/pursue-order.ts";
import type { Bill } from "./bill.ts";
import { pursueBills, type SendDependencies } from "./bill-order.ts";
import { type ClaimedBill, claimBills, findWaitingLanes, type StartingTake } from "./claim-store.ts";

export function createBillSender(deps: SendDependencies, kind: EnvironmentKind): ClaimRounds {
  const pursuit = pursueBills(deps);
  return createClaimRounds<ClaimedBill>({
    inHand: inHandBy[kind],
    look: () => findWaitingLanes(deps.db, kind),
    claim: async (takes) => claimBills(deps.db, await Promise.all(takes.map((take) => withStart(deps, kind, take)))),
    laneOf: ({ environmentId, bill }) => ({ environmentId, counterparty: bill.provider }),
    advance: (claimed) => advance(deps, pursuit, kind, claimed),
  });
}

async function withStart({ rails }: SendDependencies, kind: EnvironmentKind, take: Take): Promise<StartingTake> {
  const rail = await rails.biller.plain({ environmentId: take.environmentId, kind });
  return { ...take, starts: rail?.requestIds === "uuid" };
}

async function advance(
  { log }: SendDependencies,
  pursuit: Pursuit<Bill>,
  kind: EnvironmentKind,
  { environmentId, bill, fresh }: ClaimedBill,
): Promise<void> {
  const key = { environmentId, kind, id: bill.id };
  try {
    await (fresh ? pursuit.send(key, bill) : pursuit.takeUp(key));
  } catch (error) {
    log.error({ err: error, billId: bill.id }, "a bill could not be taken further");
  }
}
