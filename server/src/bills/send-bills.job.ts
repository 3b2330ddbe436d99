/**
 * The worker's rounds over waiting bills, of all environments of one kind; live environments have rounds and places of
 * their own. What a killed worker held is asked about, not vended.
 */
import type { EnvironmentKind } from "../platform/database/database.ts";
import { type ClaimRounds, createClaimRounds, inHandBy } from "../platform/work/claim-rounds.ts";
import type { Pursuit } from "../rails/pursue-order.ts";
import type { Bill } from "./bill.ts";
import { pursueBills, type SendDependencies } from "./bill-order.ts";
import { type ClaimedBill, claimBills, findWaitingLanes } from "./claim-store.ts";

export function createBillSender(deps: SendDependencies, environment: EnvironmentKind): ClaimRounds {
  const pursuit = pursueBills(deps);
  return createClaimRounds<ClaimedBill>({
    inHand: inHandBy[environment],
    look: () => findWaitingLanes(deps.db, environment),
    claim: (takes) => claimBills(deps.db, takes),
    laneOf: ({ environmentId, bill }) => ({ environmentId, counterparty: bill.provider }),
    advance: (claimed) => advance(deps, pursuit, environment, claimed),
  });
}

async function advance(
  { log }: SendDependencies,
  pursuit: Pursuit<Bill>,
  environment: EnvironmentKind,
  { environmentId, bill, fresh }: ClaimedBill,
): Promise<void> {
  const key = { environmentId, environment, id: bill.id };
  try {
    await (fresh ? pursuit.send(key, bill) : pursuit.takeUp(key));
  } catch (error) {
    log.error({ err: error, billId: bill.id }, "a bill could not be taken further");
  }
}
