/** Rows of verifications. All of them are the operator's. */
import { sql } from "kysely";
import { uuidv7 } from "uuidv7";
import type { Database, PlainTx, Tx } from "../platform/database/database.ts";
import type { Contradiction, Tally, Verification, VerificationState } from "./verification.ts";

const columns = sql.raw(
  `v.id, v.state, v.requested_by as "requestedBy", v.environments, v.checks, v.contradictions, v.found,
   v.failure_message as failure, v.created_at as "createdAt", v.started_at as "startedAt", v.ended_at as "endedAt"`,
);

/** Undefined while another is under way. */
export async function insertVerification(tx: Tx, requestedBy: string): Promise<Verification | undefined> {
  const inserted = await sql<Verification>`
    insert into verifications as v (id, state, requested_by) values (${uuidv7()}, 'running', ${requestedBy})
    on conflict ((true)) where state = 'running' do nothing
    returning ${columns}`.execute(tx);
  return inserted.rows[0];
}

export async function findUnderWay(tx: Tx): Promise<Verification | undefined> {
  const found = await sql<Verification>`
    select ${columns} from verifications v where v.state = 'running' limit 1`.execute(tx);
  return found.rows[0];
}

export async function findVerification(tx: Tx, id: string): Promise<Verification | undefined> {
  const found = await sql<Verification>`select ${columns} from verifications v where v.id = ${id}`.execute(tx);
  return found.rows[0];
}

/** One a night and those that somebody asked for: they are counted. */
export async function countVerifications(tx: Tx, state: VerificationState | undefined): Promise<bigint> {
  const counted = await sql<{ total: bigint }>`
    select count(*) as total from verifications v where ${state ?? null}::text is null or v.state = ${state ?? null}
  `.execute(tx);
  return counted.rows[0]?.total ?? 0n;
}

/** Newest first. */
export async function listVerifications(
  tx: Tx,
  state: VerificationState | undefined,
  page: { readonly skip: bigint; readonly limit: number },
): Promise<Verification[]> {
  const found = await sql<Verification>`
    select ${columns} from verifications v where ${state ?? null}::text is null or v.state = ${state ?? null}
    order by v.id desc limit ${page.limit} offset ${page.skip}`.execute(tx);
  return found.rows;
}

/** Whether one that could be finished, or that still may be, began since `night`; one that failed lately counts too. */
export async function isDoneSince(tx: Tx, night: Date, lately: Date): Promise<boolean> {
  const found = await sql`
    select from verifications v
    where v.state = 'running' or v.created_at >= ${night} and v.state in ('clean', 'contradictions')
      or v.state = 'failed' and v.ended_at >= ${lately}
    limit 1`.execute(tx);
  return found.rows.length > 0;
}

/** One that a worker has taken up. A worker that takes it up later has another number, and only the last may end it. */
export interface ClaimedVerification {
  readonly id: string;
  readonly tries: number;
}

/** Takes what waits; a worker that dies with it loses it when the lease is over. */
export async function claimVerification(tx: Tx, leaseMs: number): Promise<ClaimedVerification | undefined> {
  const claimed = await sql<ClaimedVerification>`
    with due as (
      select d.id from verifications d where d.state = 'running'
        -- No lease ends as late: it was taken while the database's clock was ahead.
        and not d.next_at between clock_timestamp() and clock_timestamp() + interval '2 hours'
      limit 1 for update skip locked
    )
    update verifications v set next_at = clock_timestamp() + make_interval(secs => ${leaseMs / 1000}),
      tries = v.tries + 1, started_at = coalesce(v.started_at, clock_timestamp())
    from due where v.id = due.id
    returning v.id, v.tries`.execute(tx);
  return claimed.rows[0];
}

/** Tells how far it has come, and keeps the lease. False when it is no longer this worker's. */
export async function keepVerification(
  tx: Tx,
  { id, tries }: ClaimedVerification,
  { environments, checks, contradictions }: Tally,
  leaseMs: number,
): Promise<boolean> {
  const kept = await sql`
    update verifications set environments = ${environments}, checks = ${checks}, contradictions = ${contradictions},
      next_at = clock_timestamp() + make_interval(secs => ${leaseMs / 1000})
    where id = ${id} and state = 'running' and tries = ${tries}
    returning id`.execute(tx);
  return kept.rows.length === 1;
}

/** Only by the worker that has it. */
export async function endVerification(
  tx: Tx,
  { id, tries }: ClaimedVerification,
  { environments, checks, contradictions }: Tally,
  found: readonly Contradiction[],
): Promise<void> {
  const state: VerificationState = contradictions === 0 ? "clean" : "contradictions";
  await sql`
    update verifications set state = ${state}, environments = ${environments}, checks = ${checks},
      contradictions = ${contradictions}, found = ${JSON.stringify(found)}::jsonb, ended_at = clock_timestamp()
    where id = ${id} and state = 'running' and tries = ${tries}`.execute(tx);
}

export async function failVerification(tx: Tx, { id, tries }: ClaimedVerification, message: string): Promise<void> {
  await sql`
    update verifications set state = 'failed', failure_message = ${message}, ended_at = clock_timestamp()
    where id = ${id} and state = 'running' and tries = ${tries}`.execute(tx);
}

export interface LastResults {
  /** Of the last one that ended: null while none has. */
  readonly state: VerificationState | null;
  /** Since the last clean one ended, else since the first was asked for; null while none was. */
  readonly cleanAgeSeconds: number | null;
}

export async function readLastResults(tx: Tx): Promise<LastResults> {
  const read = await sql<LastResults>`
    select
      (select v.state from verifications v where v.ended_at is not null order by v.ended_at desc limit 1) as state,
      extract(epoch from clock_timestamp() - coalesce(
        (select max(v.ended_at) from verifications v where v.state = 'clean'),
        (select min(v.created_at) from verifications v)))::float8 as "cleanAgeSeconds"`.execute(tx);
  return read.rows[0] ?? { state: null, cleanAgeSeconds: null };
}

/** For this transaction. What reads for hours keeps the database from tidying up behind it. */
export async function limitStatements(trx: PlainTx, ms: number): Promise<void> {
  await sql`select set_config('statement_timeout', ${String(ms)}, true)`.execute(trx);
}

/**
 * For this transaction. The planner takes a tenant for the owner of most rows, which is right where it matters most;
 * but who verifies a thousand sandboxes must not read all tables a thousand times.
 */
export async function readByKey(trx: PlainTx): Promise<void> {
  await sql`set local enable_seqscan = off`.execute(trx);
}

/** Which process of PostgreSQL serves this transaction. */
export async function readBackend(trx: PlainTx): Promise<number> {
  const read = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
  return read.rows[0]?.pid ?? 0;
}

export async function cancelStatement(db: Database, backend: number): Promise<void> {
  await sql`select pg_cancel_backend(${backend}::integer)`.execute(db);
}
