/** Rows of reconciliations. All of them are the operator's. */
import { type RawBuilder, sql } from "kysely";
import { uuidv7 } from "uuidv7";
import { kobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import type { Comparison, Counts, Reconciliation, ReconciliationState, Total } from "./reconciliation.ts";

const columns = sql.raw(
  `r.id, r.connection_id, r.date, r.version, r.state, r.requested_by, r.counts, r.totals, r.failure_code,
   r.failure_message, r.tries, r.created_at, r.completed_at`,
);

interface ReconciliationRow {
  readonly id: string;
  readonly connection_id: string;
  readonly date: string;
  readonly version: number;
  readonly state: ReconciliationState;
  readonly requested_by: string;
  readonly counts: Counts | null;
  readonly totals: readonly Readonly<Record<keyof Total, string>>[] | null;
  readonly failure_code: string | null;
  readonly failure_message: string | null;
  readonly tries: number;
  readonly created_at: Date;
  readonly completed_at: Date | null;
}

function toReconciliation(row: ReconciliationRow): Reconciliation {
  const { failure_code: code, failure_message: message } = row;
  return {
    id: row.id,
    connectionId: row.connection_id,
    date: row.date,
    version: row.version,
    state: row.state,
    requestedBy: row.requested_by,
    counts: row.counts,
    totals: row.totals?.map(toTotal) ?? null,
    failure: code === null ? null : { code, message: message ?? "" },
    createdAt: row.created_at,
    completedAt: row.completed_at,
  };
}

function toTotal({ kind, orders, ledger, provider }: Readonly<Record<keyof Total, string>>): Total {
  return { kind, orders: kobo(BigInt(orders)), ledger: kobo(BigInt(ledger)), provider: kobo(BigInt(provider)) };
}

/** Locks: the connection. Two runs of one day do not take the same version, and of several processes one plans its night. */
export async function lockConnection(tx: Tx, connectionId: string): Promise<void> {
  await sql`select from rail_connections c where c.id = ${connectionId} for no key update`.execute(tx);
}

/** Undefined while another run of the day is under way. */
export async function insertReconciliation(
  tx: Tx,
  wanted: Pick<Reconciliation, "connectionId" | "date" | "requestedBy">,
): Promise<Reconciliation | undefined> {
  const { connectionId, date, requestedBy } = wanted;
  await lockConnection(tx, connectionId);
  const inserted = await sql<ReconciliationRow>`
    insert into reconciliations as r (id, connection_id, date, version, state, requested_by)
    select ${uuidv7()}, ${connectionId}, ${date}, coalesce(max(e.version), 0) + 1, 'running', ${requestedBy}
    from reconciliations e where e.connection_id = ${connectionId} and e.date = ${date}
    on conflict (connection_id, date) where state = 'running' do nothing
    returning ${columns}`.execute(tx);
  const [row] = inserted.rows;
  return row === undefined ? undefined : toReconciliation(row);
}

export async function findReconciliation(tx: Tx, id: string): Promise<Reconciliation | undefined> {
  const found = await sql<ReconciliationRow>`select ${columns} from reconciliations r where r.id = ${id}`.execute(tx);
  const [row] = found.rows;
  return row === undefined ? undefined : toReconciliation(row);
}

export async function findUnderWay(
  tx: Tx,
  { connectionId, date }: Pick<Reconciliation, "connectionId" | "date">,
): Promise<Reconciliation | undefined> {
  const found = await sql<ReconciliationRow>`
    select ${columns} from reconciliations r
    where r.connection_id = ${connectionId} and r.date = ${date} and r.state = 'running'`.execute(tx);
  const [row] = found.rows;
  return row === undefined ? undefined : toReconciliation(row);
}

export interface ReconciliationFilter {
  readonly connectionId?: string | undefined;
  readonly state?: ReconciliationState | undefined;
  readonly date?: string | undefined;
}

function conditionOf({ connectionId, state, date }: ReconciliationFilter): RawBuilder<unknown> {
  const parts = [sql`true`];
  if (connectionId !== undefined) parts.push(sql`r.connection_id = ${connectionId}::uuid`);
  if (state !== undefined) parts.push(sql`r.state = ${state}`);
  if (date !== undefined) parts.push(sql`r.date = ${date}::date`);
  return sql.join(parts, sql` and `);
}

/** A few a day and connection: they are counted. */
export async function countReconciliations(tx: Tx, filter: ReconciliationFilter): Promise<bigint> {
  const counted = await sql<{ total: bigint }>`
    select count(*) as total from reconciliations r where ${conditionOf(filter)}`.execute(tx);
  return counted.rows[0]?.total ?? 0n;
}

/** Newest first. */
export async function listReconciliations(
  tx: Tx,
  filter: ReconciliationFilter,
  page: { readonly skip: bigint; readonly limit: number },
): Promise<Reconciliation[]> {
  const found = await sql<ReconciliationRow>`
    select ${columns} from reconciliations r where ${conditionOf(filter)}
    order by r.id desc limit ${page.limit} offset ${page.skip}`.execute(tx);
  return found.rows.map(toReconciliation);
}

/** A run that a worker has taken up. Whoever takes it up later has another number, and only the last may end it. */
export interface ClaimedRun extends Reconciliation {
  readonly tries: number;
}

/** Takes the oldest that waits; a worker that dies with it loses it when the lease is over. */
export async function claimRun(tx: Tx, leaseMs: number): Promise<ClaimedRun | undefined> {
  const claimed = await sql<ReconciliationRow>`
    with due as (
      select d.id from reconciliations d where d.state = 'running'
        -- No lease ends as late: it was taken while the database's clock was ahead.
        and not d.next_at between clock_timestamp() and clock_timestamp() + interval '2 hours'
      order by d.next_at limit 1 for update skip locked
    )
    update reconciliations r set next_at = clock_timestamp() + make_interval(secs => ${leaseMs / 1000}),
      tries = r.tries + 1
    from due where r.id = due.id
    returning ${columns}`.execute(tx);
  const [row] = claimed.rows;
  return row === undefined ? undefined : { ...toReconciliation(row), tries: row.tries };
}

/** Locks: the run's row, before what it has found is written. False when it is no longer this worker's. */
export async function holdRun(tx: Tx, { id, tries }: ClaimedRun): Promise<boolean> {
  const held = await sql`
    select from reconciliations r where r.id = ${id} and r.state = 'running' and r.tries = ${tries}
    for update`.execute(tx);
  return held.rows.length === 1;
}

export async function endRun(tx: Tx, { id }: ClaimedRun, { counts, totals }: Comparison): Promise<void> {
  const state = counts.exceptions === 0 ? "clean" : "exceptions";
  const texts = totals.map(({ kind, orders, ledger, provider }) => ({
    kind,
    orders: String(orders),
    ledger: String(ledger),
    provider: String(provider),
  }));
  await sql`
    update reconciliations set state = ${state}, waiting = ${counts.waiting}, counts = ${JSON.stringify(counts)}::jsonb,
      totals = ${JSON.stringify(texts)}::jsonb, completed_at = clock_timestamp()
    where id = ${id}`.execute(tx);
}

export async function failRun(
  tx: Tx,
  { id }: ClaimedRun,
  failure: { readonly code: string; readonly message: string },
): Promise<void> {
  await sql`
    update reconciliations set state = 'failed', failure_code = ${failure.code}, failure_message = ${failure.message},
      completed_at = clock_timestamp()
    where id = ${id}`.execute(tx);
}
