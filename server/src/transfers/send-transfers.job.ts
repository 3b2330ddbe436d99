/**
 * The worker's rounds over waiting transfers, of all environments of one kind. Live environments have rounds and places
 * of their own: no sandbox can keep them waiting. What a killed worker held is asked about, not sent.
 */
import type { EnvironmentKind } from "../platform/database/database.ts";
import { type ClaimRounds, createClaimRounds, inHandBy } from "../platform/work/claim-rounds.ts";
import type { Pursuit } from "../rails/pursue-order.ts";
import { type ClaimedTransfer, claimTransfers, findWaitingLanes } from "./claim-store.ts";
import type { Transfer } from "./transfer.ts";
import { pursueTransfers, type SendDependencies } from "./transfer-order.ts";

export function createTransferSender(deps: SendDependencies, environment: EnvironmentKind): ClaimRounds {
  const pursuit = pursueTransfers(deps);
  const sender = deps.rails.bank[environment]?.senderCode ?? "000000";
  return createClaimRounds<ClaimedTransfer>({
    inHand: inHandBy[environment],
    look: () => findWaitingLanes(deps.db, environment),
    claim: (takes) => claimTransfers(deps.db, takes, sender),
    laneOf: ({ environmentId, transfer }) => ({ environmentId, counterparty: transfer.bankCode }),
    advance: (claimed) => advance(deps, pursuit, environment, claimed),
  });
}

async function advance(
  { log }: SendDependencies,
  pursuit: Pursuit<Transfer>,
  environment: EnvironmentKind,
  { environmentId, transfer, fresh }: ClaimedTransfer,
): Promise<void> {
  const key = { environmentId, environment, id: transfer.id };
  try {
    if (fresh) await pursuit.send(key, transfer);
    else if (transfer.status === "pending") await pursuit.begin(key, transfer);
    else await pursuit.takeUp(key);
  } catch (error) {
    log.error({ err: error, transferId: transfer.id }, "a transfer could not be taken further");
  }
}
