/** The worker's rounds over waiting transfers, of all environments. What a killed worker held is asked about, not sent. */
import { sql } from "kysely";
import { type ClaimRounds, createClaimRounds } from "../platform/claim-rounds.ts";
import { retryTransient } from "../platform/retry-transient.ts";
import type { EnvironmentKind } from "../rails/registry.ts";
import { type SendDependencies, sendFresh, takeUp } from "./send-transfer.ts";

const leaseSeconds = 60;

interface ClaimedRow {
  readonly environment_id: string;
  readonly environment_kind: EnvironmentKind;
  readonly id: string;
  readonly bank_code: string;
  readonly fresh: boolean;
}

export function createTransferSender(deps: SendDependencies): ClaimRounds {
  return createClaimRounds<ClaimedRow>({
    claim: (atMost, busy) => claim(deps, atMost, busy),
    counterpartyOf: (row) => row.bank_code,
    advance: (row) => advance(deps, row),
  });
}

async function advance(deps: SendDependencies, row: ClaimedRow): Promise<void> {
  const key = { environmentId: row.environment_id, environment: row.environment_kind, id: row.id };
  try {
    await (row.fresh ? sendFresh(deps, key) : takeUp(deps, key));
  } catch (error) {
    deps.log.error({ err: error, transferId: row.id }, "a transfer could not be taken further");
  }
}

async function claim(deps: SendDependencies, atMost: number, busy: readonly string[]): Promise<readonly ClaimedRow[]> {
  const sandbox = deps.rails.bank.SANDBOX?.senderCode ?? "000000";
  const live = deps.rails.bank.LIVE?.senderCode ?? "000000";
  const result = await retryTransient(() =>
    sql<ClaimedRow>`
      select * from claim_transfers(${atMost}, ${leaseSeconds}, ${sandbox}, ${live}, ${busy}::text[])`.execute(deps.db),
  );
  return result.rows;
}
