/** The log of requests: written for all environments at once, read by each of its own. */
import { type RawBuilder, sql } from "kysely";
import type { Database, Tx } from "../platform/database/database.ts";
import type { SearchedKind } from "../platform/records/search.ts";
import type { TraceSource, TraceStep } from "../platform/records/trace.ts";

export interface NewLine {
  readonly environmentId: string;
  readonly at: string;
  readonly requestId: string;
  readonly method: string;
  readonly route: string;
  readonly path: string;
  readonly status: number;
  readonly code: string | null;
  readonly durationMs: number;
  readonly keyId: string;
  readonly idempotencyKey: string | null;
  readonly userAgent: string | null;
  readonly warning: string | null;
  readonly replayed: boolean;
  readonly recordId: string | null;
  readonly requestBody: string | null;
  readonly responseBody: string | null;
}

export interface LoggedRequest extends Omit<NewLine, "environmentId" | "at"> {
  readonly at: Date;
  /** By the environment's clock. */
  readonly clockAt: Date;
  readonly position: bigint;
  readonly keyPrefix: string | null;
}

export interface RequestFilter {
  /** From a status to another, both included. */
  readonly statuses: readonly [number, number] | null;
  readonly method: string | null;
  /** Paths that begin so. */
  readonly path: string | null;
  readonly from: Date | null;
  readonly to: Date | null;
}

export async function writeRequests(db: Database, lines: readonly NewLine[]): Promise<void> {
  await sql`select record_requests(${JSON.stringify(lines)}::json)`.execute(db);
}

const lines = sql`
  select r.position, r.at, r.clock_at as "clockAt", r.request_id as "requestId", r.method, r.route, r.path,
    r.status, r.code, r.duration_ms as "durationMs", r.key_id as "keyId", k.prefix as "keyPrefix",
    r.idempotency_key as "idempotencyKey", r.user_agent as "userAgent", r.warning, r.replayed,
    r.record_id as "recordId", r.request_body as "requestBody", r.response_body as "responseBody"
  from api_requests r left join api_keys k on k.environment_id = r.environment_id and k.id = r.key_id`;

export async function countRequests(tx: Tx, filter: RequestFilter): Promise<bigint> {
  const found = await sql<{ total: bigint }>`
    select count(*) as total from api_requests r where ${conditionOf(tx, filter)}`.execute(tx);
  return found.rows[0]?.total ?? 0n;
}

/** Newest first. */
export async function listRequests(
  tx: Tx,
  filter: RequestFilter,
  { skip, limit }: { readonly skip: bigint; readonly limit: number },
): Promise<LoggedRequest[]> {
  const found = await sql<LoggedRequest>`${lines} where ${conditionOf(tx, filter)}
    order by r.position desc limit ${limit} offset ${skip}`.execute(tx);
  return found.rows;
}

/** A caller may give one name to several requests; the newest come first. */
export async function findRequests(tx: Tx, requestId: string): Promise<LoggedRequest[]> {
  const found = await sql<LoggedRequest>`${lines}
    where r.environment_id = ${tx.environment.id} and r.request_id = ${requestId}
    order by r.position desc limit 20`.execute(tx);
  return found.rows;
}

/** Requests that made or changed these records, and those that are named, oldest first. */
async function readRequestsOf(
  tx: Tx,
  recordIds: readonly string[],
  requestIds: readonly string[],
): Promise<LoggedRequest[]> {
  const found = await sql<LoggedRequest>`${lines}
    where r.environment_id = ${tx.environment.id}
      and (r.record_id = any (${recordIds}::uuid[]) or r.request_id = any (${requestIds}::text[]))
    order by r.position limit 500`.execute(tx);
  return found.rows;
}

export async function readRequestsAfter(tx: Tx, position: bigint, limit: number): Promise<LoggedRequest[]> {
  const found = await sql<LoggedRequest>`${lines}
    where r.environment_id = ${tx.environment.id} and r.position > ${position}
    order by r.position limit ${limit}`.execute(tx);
  return found.rows;
}

/** The newest position of each environment; one without requests is not among them. */
export async function readPositions(db: Database, environmentIds: readonly string[]): Promise<Map<string, bigint>> {
  const found = await sql<{ environment_id: string; position: bigint | null }>`
    select environment_id, position from read_request_positions(${environmentIds}::uuid[])`.execute(db);
  return new Map(found.rows.map((row) => [row.environment_id, row.position ?? 0n]));
}

/** Returns how many went. */
export async function pruneRequests(
  db: Database,
  { before, most, atOnce }: { readonly before: Date; readonly most: number; readonly atOnce: number },
): Promise<bigint> {
  const pruned = await sql<{ removed: bigint }>`
    select prune_requests(${before}, ${most}::integer, ${atOnce}::integer) as removed`.execute(db);
  return pruned.rows[0]?.removed ?? 0n;
}

/** The environments that have a request of this name. The transaction must be in the operator's scope. */
async function findRequestEnvironments(tx: Tx, requestId: string): Promise<string[]> {
  const found = await sql<{ environment_id: string }>`
    select environment_id from find_request_environments(${requestId})`.execute(tx);
  return found.rows.map((row) => row.environment_id);
}

function conditionOf(tx: Tx, { statuses, method, path, from, to }: RequestFilter): RawBuilder<unknown> {
  const parts = [sql`r.environment_id = ${tx.environment.id}`];
  if (statuses !== null) parts.push(sql`r.status between ${statuses[0]} and ${statuses[1]}`);
  if (method !== null) parts.push(sql`r.method = ${method}`);
  if (path !== null) parts.push(sql`starts_with(r.path, ${path})`);
  if (from !== null) parts.push(sql`r.at >= ${from}`);
  if (to !== null) parts.push(sql`r.at < ${to}`);
  return sql.join(parts, sql` and `);
}

/** What can be found of requests: the one that a reply's X-Request-Id names. */
export const searchedRequests: readonly SearchedKind[] = [
  {
    kind: "request",
    table: "api_requests",
    scope: "requests:read",
    path: "/requests/{id}",
    nameColumn: "request_id",
    title: sql`t.request_id`,
    details: sql`array[t.method || ' ' || t.path, t.code]`,
    status: sql`t.status::text`,
    createdColumn: "at",
    indexed: [{ column: "request_id" }],
  },
];

/** What the log of requests tells in a trace: the requests that made or changed a record. */
export const requestTrace: TraceSource = {
  named: {
    kind: "request",
    async find(tx, name) {
      const [newest] = await findRequests(tx, name);
      return newest && { partOf: newest.recordId };
    },
    environments: findRequestEnvironments,
  },
  tell: async (tx, { ids, orders }) => ({ steps: (await readRequestsOf(tx, ids, orders)).map(stepOf) }),
};

function stepOf({
  requestId,
  at,
  clockAt,
  method,
  route,
  path,
  status,
  code,
  durationMs,
  ...rest
}: LoggedRequest): TraceStep {
  const { keyPrefix, recordId } = rest;
  return {
    at: clockAt,
    kind: "request",
    title: `${method} ${route}`,
    detail: { path, status, code, durationMs, key: keyPrefix, receivedAt: at.toISOString() },
    ids: { request: requestId, ...(recordId === null ? {} : { record: recordId }) },
    ok: status < 400,
    turn: 0,
  };
}
