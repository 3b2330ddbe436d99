/**
 * The worker's rounds over waiting transfers, of all environments of one kind. Live environments have rounds and places
 * of their own: no sandbox can keep them waiting. What a killed worker held is asked about, not sent.
 */
import type { EnvironmentKind } from "../platform/database/database.ts";
import { aboutRecord } from "../platform/log-subject.ts";
import { createClaimRounds, type Rounds, roomBy } from "../platform/work/claim-rounds.ts";
import { joining } from "../platform/work/hand-over.ts";
import type { Pursuit } from "../rails/pursue-order.ts";
import { createOpenTakes } from "../rails/wait-for-rail.ts";
import { claimTransfers, findWaitingLanes } from "./claim-store.ts";
import type { ClaimedTransfer, SendingDesk } from "./start-at-once.ts";
import type { Transfer } from "./transfer.ts";
import { pursueTransfers, type SendDependencies } from "./transfer-order.ts";

export interface SenderDependencies extends SendDependencies {
  /** Where payouts that are accepted in this process come in. */
  readonly sendingDesk: SendingDesk;
}

export function createTransferSender(deps: SenderDependencies, kind: EnvironmentKind): Rounds {
  const pursuit = pursueTransfers(deps);
  const openTakes = createOpenTakes(deps.rails.bank, kind);
  const rounds = createClaimRounds<ClaimedTransfer>({
    ...roomBy[kind],
    look: () => findWaitingLanes(deps.db, kind),
    claim: async (takes) => claimTransfers(deps.db, await openTakes(takes)),
    laneOf: ({ environmentId, transfer }) => ({ environmentId, counterparty: transfer.bankCode }),
    advance: (claimed) => advance(deps, pursuit, kind, claimed),
  });
  return joining(rounds, kind, deps.sendingDesk);
}

async function advance(
  { log }: SendDependencies,
  pursuit: Pursuit<Transfer>,
  kind: EnvironmentKind,
  { environmentId, transfer, fresh }: ClaimedTransfer,
): Promise<void> {
  const key = { environmentId, kind, id: transfer.id };
  const further = () => {
    if (fresh) return pursuit.send(key, transfer);
    return transfer.status === "pending" ? pursuit.begin(key, transfer) : pursuit.takeUp(key);
  };
  await aboutRecord({ environmentId, recordId: transfer.id }, () =>
    further().catch((error: unknown) => log.error({ err: error }, "a transfer could not be taken further")),
  );
}
