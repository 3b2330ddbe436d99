/** The transfers as the worker's queue: what waits, and taking it. */
import { sql } from "kysely";
import type { Database, EnvironmentKind } from "../platform/database/database.ts";
import { retryTransient } from "../platform/database/retry-transient.ts";
import type { Take, WaitingLane } from "../platform/work/claim-rounds.ts";
import type { ClaimedTransfer } from "./start-at-once.ts";
import { leaseSeconds, type TransferRow, toTransfer, transferColumnList } from "./transfer-store.ts";

export async function findWaitingLanes(db: Database, kind: EnvironmentKind): Promise<readonly WaitingLane[]> {
  const found = await sql<WaitingLane>`
    select environment_id as "environmentId", bank_code as counterparty, waiting_since as since
    from find_waiting_transfer_lanes(${kind})`.execute(db);
  return found.rows;
}

export async function claimTransfers(db: Database, takes: readonly Take[]): Promise<readonly ClaimedTransfer[]> {
  const claimed = await retryTransient(() =>
    sql<TransferRow & { environment_id: string }>`
      select environment_id, ${transferColumnList}
      from claim_transfers(${takes.map(({ environmentId }) => environmentId)}::uuid[],
        ${takes.map(({ counterparty }) => counterparty)}::text[], ${takes.map(({ take }) => take)}::integer[],
        ${leaseSeconds}) as t`.execute(db),
  );
  return claimed.rows.map((row) => ({ environmentId: row.environment_id, transfer: toTransfer(row), fresh: false }));
}
