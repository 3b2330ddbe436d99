/** The bills as the worker's queue: what waits, and taking it. */
import { sql } from "kysely";
import type { Database, EnvironmentKind } from "../platform/database/database.ts";
import { retryTransient } from "../platform/database/retry-transient.ts";
import type { Take, WaitingLane } from "../platform/work/claim-rounds.ts";
import { type BillRow, billColumnList, toBill } from "./bill-store.ts";
import type { ClaimedBill } from "./start-at-once.ts";

const leaseSeconds = 120;

export async function findWaitingLanes(db: Database, kind: EnvironmentKind): Promise<readonly WaitingLane[]> {
  const found = await sql<WaitingLane>`
    select environment_id as "environmentId", provider as counterparty, waiting_since as since
    from find_waiting_bill_lanes(${kind})`.execute(db);
  return found.rows;
}

export async function claimBills(db: Database, takes: readonly Take[]): Promise<readonly ClaimedBill[]> {
  const claimed = await retryTransient(() =>
    sql<BillRow & { environment_id: string }>`
      select environment_id, ${billColumnList}
      from claim_bills(${takes.map(({ environmentId }) => environmentId)}::uuid[],
        ${takes.map(({ counterparty }) => counterparty)}::text[], ${takes.map(({ take }) => take)}::integer[],
        ${leaseSeconds}) as b`.execute(db),
  );
  return claimed.rows.map((row) => ({ environmentId: row.environment_id, bill: toBill(row), fresh: false }));
}
