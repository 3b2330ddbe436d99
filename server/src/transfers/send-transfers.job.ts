/**
 * The worker's loop over waiting transfers, of all environments. A claim is a lease: what a killed worker held comes
 * back after it and is asked about, not sent again.
 */
import { sql } from "kysely";
import { retryTransient } from "../platform/retry-transient.ts";
import type { EnvironmentKind } from "../rails/registry.ts";
import { type SendDependencies, sendFresh, type TransferKey, takeUp } from "./send-transfer.ts";

const claimAtOnce = 200;
const leaseSeconds = 60;
const idleMs = 100;

interface ClaimedRow {
  readonly environment_id: string;
  readonly environment_kind: EnvironmentKind;
  readonly id: string;
  readonly fresh: boolean;
}

/** One round: claims what waits, takes each as far as it gets, and answers how long to rest before the next. */
export async function sendWaitingTransfers(deps: SendDependencies): Promise<number> {
  const claimed = await claim(deps);
  const outcomes = await Promise.allSettled(claimed.map((row) => advance(deps, row)));
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.status === "rejected") {
      // The lease brings it back.
      deps.log.error({ err: outcome.reason, transferId: claimed[index]?.id }, "a transfer could not be taken further");
    }
  }
  return claimed.length < claimAtOnce ? idleMs : 0;
}

function advance(deps: SendDependencies, row: ClaimedRow): Promise<void> {
  const key: TransferKey = { environmentId: row.environment_id, environment: row.environment_kind, id: row.id };
  return row.fresh ? sendFresh(deps, key) : takeUp(deps, key);
}

async function claim(deps: SendDependencies): Promise<readonly ClaimedRow[]> {
  const sandbox = deps.rails.bank.SANDBOX?.senderCode ?? "000000";
  const live = deps.rails.bank.LIVE?.senderCode ?? "000000";
  const result = await retryTransient(() =>
    sql<ClaimedRow>`
      select * from claim_transfers(${claimAtOnce}, ${leaseSeconds}, ${sandbox}, ${live})`.execute(deps.db),
  );
  return result.rows;
}
