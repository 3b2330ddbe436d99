/**
 * The worker's rounds over waiting transfers, of all environments of one kind. Live environments have rounds and places
 * of their own: no sandbox can keep them waiting. What a killed worker held is asked about, not sent.
 */
import type { EnvironmentKind } from "../platform/database/database.ts";
import { type ClaimRounds, createClaimRounds, inHandBy } from "../platform/work/claim-rounds.ts";

import { type ClaimedTransfer, claimTransfers, findWaitingLanes } from "./claim-store.ts";
import { begin, order, type SendDependencies, takeUp } from "./send-transfer.ts";

export function createTransferSender(deps: SendDependencies, environment: EnvironmentKind): ClaimRounds {
  const sender = deps.rails.bank[environment]?.senderCode ?? "000000";
  return createClaimRounds<ClaimedTransfer>({
    inHand: inHandBy[environment],
    look: () => findWaitingLanes(deps.db, environment),
    claim: (takes) => claimTransfers(deps.db, takes, sender),
    laneOf: ({ environmentId, transfer }) => ({ environmentId, counterparty: transfer.bankCode }),
    advance: (claimed) => advance(deps, environment, claimed),
  });
}

async function advance(
  deps: SendDependencies,
  environment: EnvironmentKind,
  { environmentId, transfer, fresh }: ClaimedTransfer,
): Promise<void> {
  const key = { environmentId, environment, id: transfer.id };
  try {
    if (fresh) await order(deps, key, transfer);
    else if (transfer.status === "pending") await begin(deps, key, transfer);
    else await takeUp(deps, key);
  } catch (error) {
    deps.log.error({ err: error, transferId: transfer.id }, "a transfer could not be taken further");
  }
}
