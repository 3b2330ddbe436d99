/** Rows of exceptions. */
import { sql } from "kysely";
import { uuidv7 } from "uuidv7";
import type { Tx } from "../platform/database/database.ts";
import {
  type ExceptionKind,
  type FoundException,
  type KeptException,
  keepOurs,
  keepTheirs,
  type OursKept,
  type Reconciliation,
  subjectOf,
  type TheirsKept,
} from "./reconciliation.ts";

const columns = sql.raw(
  `e.id, e.connection_id, e.date, e.kind, e.ours, e.theirs, e.first_seen_at, e.closed_at, e.resolved_by,
   e.resolved_reason, e.resolved_at`,
);

interface ExceptionRow {
  readonly id: string;
  readonly connection_id: string;
  readonly date: string;
  readonly kind: ExceptionKind;
  readonly ours: OursKept | null;
  readonly theirs: TheirsKept | null;
  readonly first_seen_at: Date;
  readonly closed_at: Date | null;
  readonly resolved_by: string | null;
  readonly resolved_reason: string | null;
  readonly resolved_at: Date | null;
}

function toException(row: ExceptionRow): KeptException {
  const { resolved_by: by, resolved_reason: reason, resolved_at: at } = row;
  return {
    id: row.id,
    connectionId: row.connection_id,
    date: row.date,
    kind: row.kind,
    ours: row.ours,
    theirs: row.theirs,
    firstSeenAt: row.first_seen_at,
    closedAt: row.closed_at,
    resolution: by === null || reason === null || at === null ? null : { by, reason, at },
  };
}

/**
 * Writes what a run has found. What stands already and has the same figures stays as it is; what no longer does is
 * closed; what has other figures than before is closed and open again, with its age and without its resolution.
 */
export async function replaceExceptions(
  tx: Tx,
  { connectionId, date, version }: Reconciliation,
  found: readonly FoundException[],
): Promise<void> {
  const rows = found.map((exception) => ({
    id: uuidv7(),
    subject: subjectOf(exception),
    kind: exception.kind,
    ours: exception.ours === null ? null : keepOurs(exception.ours),
    theirs: exception.theirs === null ? null : keepTheirs(exception.theirs),
  }));
  const closed = await sql<ClosedRow>`
    with found as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as f (subject text, kind text, ours jsonb, theirs jsonb)
    )
    update reconciliation_exceptions e set closed_version = ${version}, closed_at = clock_timestamp()
    where e.connection_id = ${connectionId} and e.date = ${date} and e.closed_version is null and not exists (
      select from found f where f.subject = e.subject and f.kind = e.kind
        and f.ours is not distinct from e.ours and f.theirs is not distinct from e.theirs)
    returning e.subject, e.kind, e.first_seen_at`.execute(tx);
  const ages = new Map(closed.rows.map((row) => [`${row.kind}/${row.subject}`, row.first_seen_at]));
  const aged = rows.map((row) => ({ ...row, seen: ages.get(`${row.kind}/${row.subject}`) ?? null }));
  // What still stands has its own row.
  await sql`
    insert into reconciliation_exceptions
      (id, connection_id, date, subject, kind, ours, theirs, first_seen_at, first_version)
    select f.id, ${connectionId}, ${date}, f.subject, f.kind, f.ours, f.theirs,
      coalesce(f.seen, clock_timestamp()), ${version}
    from jsonb_to_recordset(${JSON.stringify(aged)}::jsonb)
      as f (id uuid, subject text, kind text, ours jsonb, theirs jsonb, seen timestamptz)
    on conflict (connection_id, date, subject, kind) where closed_version is null do nothing`.execute(tx);
}

interface ClosedRow {
  readonly subject: string;
  readonly kind: ExceptionKind;
  readonly first_seen_at: Date;
}

/** What a version has found, in the order in which it was first seen. */
export async function listExceptions(
  tx: Tx,
  { connectionId, date, version }: Reconciliation,
  page: { readonly after?: string | undefined; readonly limit: number },
): Promise<KeptException[]> {
  const { after = "00000000-0000-0000-0000-000000000000", limit } = page;
  const found = await sql<ExceptionRow>`
    select ${columns} from reconciliation_exceptions e
    where e.connection_id = ${connectionId} and e.date = ${date} and e.id > ${after}
      and e.first_version <= ${version} and (e.closed_version is null or e.closed_version > ${version})
    order by e.id limit ${limit}`.execute(tx);
  return found.rows.map(toException);
}

export async function findException(
  tx: Tx,
  id: string,
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<KeptException | undefined> {
  const locked = lock ? sql`for update` : sql``;
  const found = await sql<ExceptionRow>`
    select ${columns} from reconciliation_exceptions e where e.id = ${id} ${locked}`.execute(tx);
  const [row] = found.rows;
  return row === undefined ? undefined : toException(row);
}

export async function writeResolution(
  tx: Tx,
  id: string,
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<void> {
  await sql`
    update reconciliation_exceptions set resolved_by = ${by}, resolved_reason = ${reason},
      resolved_at = clock_timestamp()
    where id = ${id}`.execute(tx);
}
