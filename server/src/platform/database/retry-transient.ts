import { type QueryExecutorProvider, sql } from "kysely";

/**
 * Some database errors say "nothing happened, try again": a serialization failure, a deadlock victim, a connection
 * that broke before COMMIT was sent. They are retried a bounded number of times. A connection lost while COMMIT was
 * on its way is different, because the work may have been done: it is not retried here, and the caller finds out
 * by its reference or idempotency key.
 */
const retryable = new Set([
  "40001", // serialization_failure
  "40P01", // deadlock_detected
  "55P03", // lock_not_available
]);

const connectionLost = new Set([
  "08000",
  "08003",
  "08006",
  "08001",
  "08004", // connection exceptions
  "08P01", // pgbouncer: the server is gone, cannot be reached, or did not come free in time
  "57P01",
  "57P02",
  "57P03", // the server shuts down, crashed or is starting
  "53000",
  "53100",
  "53200",
  "53300",
  "53400", // no disk, memory, connections or other room left
  "58030", // the disk fails
  "25006", // read_only_sql_transaction: no primary is there
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOTFOUND",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EMFILE",
  "ENFILE", // our own side has no file descriptor left
]);

/** A login is refused: by PostgreSQL, or by a pooler that passes on what PostgreSQL told it. No statement was run. */
const loginRefused = new Set([
  "28000", // invalid_authorization_specification
  "28P01", // invalid_password
  "3D000", // invalid_catalog_name: no such database
  "57P04", // database_dropped
]);
/** Of 55000, which statements give too. */
const takesNoConnections = /not currently accepting connections/;

const connectionBroken = new Set(["08003", "08006", "57P01", "57P02", "ECONNRESET", "EPIPE"]);
const brokenInUse = /Connection terminated unexpectedly|Client has encountered a connection error|not queryable/;
/** Pgbouncer has one code for everything; this one came while the connection was in use. */
const serverCrashed = /^server conn crashed/;

const attempts = 4;

function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** The driver reports some broken connections by sentence only. */
const brokenConnection =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/;

/** PostgreSQL cannot be reached, takes no login, went away in the middle, or has no room to do the work. */
export function isConnectionLost(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined && connectionLost.has(code)) return true;
  return isLoginRefused(error) || (error instanceof Error && brokenConnection.test(error.message));
}

/** Waiting alone does not mend it: somebody has to change the login or the database. */
export function isLoginRefused(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined && loginRefused.has(code)) return true;
  return code === "55000" && error instanceof Error && takesNoConnections.test(error.message);
}

/**
 * What kept us from a connection, whatever it was, as an error that `isConnectionLost` knows: until there is a
 * connection no statement was sent, so nothing was changed.
 */
export function asConnectionLost(error: unknown): Error {
  if (error instanceof Error && isConnectionLost(error)) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return Object.assign(new Error(`No connection to PostgreSQL: ${reason}`, { cause: error }), { code: "08001" });
}

export function isTransient(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && retryable.has(code);
}

/** A connection that worked and then broke. One that could not be made is not tried again: the caller hears it soon. */
export function isConnectionBroken(error: unknown): boolean {
  const code = codeOf(error);
  if (code === "08P01") return error instanceof Error && serverCrashed.test(error.message);
  if (code !== undefined) return connectionBroken.has(code);
  return error instanceof Error && brokenInUse.test(error.message);
}

export function hasCode(error: unknown, code: string): boolean {
  return codeOf(error) === code;
}

/** The disk of PostgreSQL is full. */
export function isOutOfRoom(error: unknown): boolean {
  return codeOf(error) === "53100";
}

/** A write met a database that takes none: a standby, or a primary that was demoted. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === "25006";
}

/** A sandbox is being emptied: see share_environment_gate. */
export function isGateClosed(error: unknown): boolean {
  return codeOf(error) === "JA001";
}

export async function retryTransient<T>(work: () => Promise<T>, isWorthRetrying = isTransient): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= attempts || !isWorthRetrying(error)) throw error;
      // Spread the next try so that two rivals do not meet again at once.
      await new Promise((resolve) => setTimeout(resolve, attempt * 5 + Math.random() * 10));
    }
  }
}

/** For a statement that may run twice without harm, such as a look-up: a broken connection is retried as well. */
export function retryRepeatable<T>(work: () => Promise<T>): Promise<T> {
  return retryTransient(work, (error) => isTransient(error) || isConnectionBroken(error));
}

/**
 * Throws when PostgreSQL's disk is full. A small write would not tell: it finds a place in a page or in the log that is
 * there already, while everything larger fails. So a sort that does not fit into memory has to put two megabytes on the
 * disk for some milliseconds, which leaves nothing behind. Any other failure is somebody else's to tell.
 */
export async function requireRoom(db: QueryExecutorProvider): Promise<void> {
  try {
    await sql`
      do $$ begin
        perform set_config('work_mem', '64kB', true);
        perform count(filler) from (
          select n, repeat('x', 1000) || n as filler from generate_series(1, 2000) n order by n desc offset 0) sorted;
      end $$`.execute(db);
  } catch (error) {
    if (isOutOfRoom(error)) throw error;
  }
}
