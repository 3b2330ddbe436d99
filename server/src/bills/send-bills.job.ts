/**
 * The worker's rounds over waiting bills, of all environments of one kind; live environments have rounds and places of
 * their own. What a killed worker held is asked about, not vended.
 */
import type { EnvironmentKind } from "../platform/database/database.ts";
import { type ClaimRounds, createClaimRounds, inHandBy } from "../platform/work/claim-rounds.ts";

import { type ClaimedBill, claimBills, findWaitingLanes } from "./claim-store.ts";
import { order, type SendDependencies, takeUp } from "./send-bill.ts";

export function createBillSender(deps: SendDependencies, environment: EnvironmentKind): ClaimRounds {
  return createClaimRounds<ClaimedBill>({
    inHand: inHandBy[environment],
    look: () => findWaitingLanes(deps.db, environment),
    claim: (takes) => claimBills(deps.db, takes),
    laneOf: ({ environmentId, bill }) => ({ environmentId, counterparty: bill.provider }),
    advance: (claimed) => advance(deps, environment, claimed),
  });
}

async function advance(
  deps: SendDependencies,
  environment: EnvironmentKind,
  { environmentId, bill, fresh }: ClaimedBill,
): Promise<void> {
  const key = { environmentId, environment, id: bill.id };
  try {
    await (fresh ? order(deps, key, bill) : takeUp(deps, key));
  } catch (error) {
    deps.log.error({ err: error, billId: bill.id }, "a bill could not be taken further");
  }
}
