/**
 * The way into PostgreSQL. A business row belongs to one environment (the tenant), and the application role can
 * only see rows of the environment that the running transaction has entered: row level security, keyed on a
 * transaction-local setting, stands behind every query that forgets its `where environment_id`.
 */

import { setTimeout as pause } from "node:timers/promises";
import { Kysely, PostgresDialect, sql, type Transaction } from "kysely";
import pg from "pg";
import { type Activity, createActivity } from "./activity.ts";
import { beginTogether } from "./begin-together.ts";
import { nextOrigin, type Origin } from "./cause.ts";
import { type Clock, type ClockRow, clockFromRow } from "./clock.ts";
import type { DB } from "./database-types.gen.ts";
import { createEnvironmentDoors, type EnvironmentDoors, environmentBusy } from "./environment-doors.ts";
import { createStatementNames, prepareStatements } from "./prepared-statements.ts";
import { isConnectionBroken, isGateClosed, isReadOnly, isTransient, retryTransient } from "./retry-transient.ts";
import { createSandboxShare, type SandboxShare } from "./sandbox-share.ts";
import { connectWithinMs, introduceOurselves, tendConnections } from "./tend-connections.ts";
import { sendUnawaited } from "./unawaited.ts";

type Access = "read only" | "read write";

/** What waits for the commit of a transaction. */
const hooks = new WeakMap<object, (() => void)[]>();

/** Calls `then` once the transaction is committed, and never if it is not. */
export function afterCommit(trx: object, then: () => void): void {
  const waiting = hooks.get(trx);
  if (waiting === undefined) hooks.set(trx, [then]);
  else waiting.push(then);
}

/**
 * Tries again when nothing can have happened: PostgreSQL said so, or the connection broke before COMMIT was sent. Once
 * COMMIT is on its way a broken connection leaves open whether the work was done, and only the caller can find out.
 */
export function runTransaction<DB, T>(
  db: Kysely<DB>,
  work: (trx: Transaction<DB>) => Promise<T>,
  access: Access,
): Promise<T> {
  let committing = false;
  const mayWrite = access === "read write";
  const attempt = async (): Promise<T> => {
    committing = false;
    const transaction = mayWrite ? db.transaction() : db.transaction().setAccessMode(access);
    let committed: object = transaction;
    const done = await transaction.execute(async (trx) => {
      committed = trx;
      const result = await work(trx);
      committing = true;
      return result;
    });
    for (const then of hooks.get(committed) ?? []) then();
    return done;
  };
  // A primary that was demoted has done nothing, and the next connection may be to the new one.
  const nothingHappened = (error: unknown) => isTransient(error) || (mayWrite && isReadOnly(error));
  const done = retryTransient(attempt, (error) => nothingHappened(error) || (!committing && isConnectionBroken(error)));
  return mayWrite ? done : done.catch(nameBug);
}

/** Otherwise it would look like a database without a primary. */
function nameBug(error: unknown): never {
  throw isReadOnly(error) ? new Error("a transaction that only reads tried to write", { cause: error }) : error;
}

export type Database = Kysely<DB>;

export const environmentKinds = ["SANDBOX", "LIVE"] as const;
export type EnvironmentKind = (typeof environmentKinds)[number];

/** What a transaction knows about the environment it works in. */
export interface EnvironmentScope {
  readonly id: string;
  /** Throws in the operator's scope, which is neither. */
  readonly kind: EnvironmentKind;
  readonly clock: Clock;
}

/** A transaction inside one environment: every store function takes it first. */
export type Tx = Transaction<DB> & { readonly environment: EnvironmentScope };

/** A transaction over rows that belong to no environment: merchants, the audit trail, the look-up functions. */
export type PlainTx = Transaction<DB>;

/**
 * The operator's scope: an environment that no tenant has. From here merchants, environments and the audit trail are
 * visible, and no tenant's rows.
 */
export const operatorScope = "00000000-0000-0000-0000-000000000000";

export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize: number;
  /** Set when one login both owns the schema and serves requests: each connection then steps down to this role. */
  readonly role?: string;
  /** On unless a pooler in transaction mode stands between. */
  readonly preparedStatements?: boolean;
  readonly patienceMs?: number;
  readonly onError?: (error: Error) => void;
}

pg.types.setTypeParser(pg.types.builtins.INT8, (digits) => BigInt(digits));
// A day has no time. As a Date it would be midnight in UTC, which is one o'clock in Lagos.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);

export function createPool(options: DatabaseOptions): pg.Pool {
  const { url, patienceMs, preparedStatements: direct = true } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: options.poolSize,
    connectionTimeoutMillis: connectWithinMs,
    idleTimeoutMillis: 30_000,
    // Node asks a silent host ten times, a second apart, before it gives the connection up.
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    onConnect: introduceOurselves,
    application_name: "jara",
    pipeline: direct,
    ...(options.role === undefined ? {} : { options: `-c role=${options.role}` }),
  });
  // A connection that is lost while the pool is being closed is expected.
  const onError = (error: Error) => (pool.ending ? undefined : options.onError?.(error));
  const nameOf = createStatementNames();
  // An idle connection that the server closes raises here; without a handler it would end the process.
  pool.on("error", onError);
  pool.on("connect", (client) => {
    client.on("error", onError);
    if (direct) prepareStatements(client, nameOf);
  });
  tendConnections(pool, { url, onError, ...(patienceMs === undefined ? {} : { patienceMs }) });
  if (direct) pool.on("connect", beginTogether).on("connect", sendUnawaited);
  return pool;
}

const doorsOf = new WeakMap<Database, EnvironmentDoors>();
const activityOf = new WeakMap<Database, Activity>();
const shareOf = new WeakMap<Database, SandboxShare>();

export function createDatabase(pool: pg.Pool): Database {
  const db: Database = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  // Half of the pool: what one environment does never takes the last connection from the others.
  doorsOf.set(db, createEnvironmentDoors({ room: Math.max(1, Math.floor(pool.options.max / 2)) }));
  activityOf.set(db, createActivity());
  shareOf.set(db, createSandboxShare(pool.options.max));
  return db;
}

/** Whether somebody else than this environment works with the database now, as far as this process knows. */
export function othersAtWork(db: Database, environmentId: string): boolean {
  return activityOf.get(db)?.othersThan(environmentId) === true;
}

/** Whether the environment's clock stands still, as this process's last transaction there found it. */
export function isFrozen(db: Database, environmentId: string): boolean {
  return doorsOf.get(db)?.isFrozen(environmentId) === true;
}

/** Runs `work` in one transaction inside the environment. Serialization failures and lost connections retry it. */
export function inEnvironment<T>(db: Database, environmentId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const origin = nextOrigin();
  const transact = entering(db, environmentId, origin, work);
  const doors = doorsOf.get(db);
  const patient = origin.is === "background";
  return atWork(db, environmentId, () =>
    doors === undefined
      ? outsideTheGate(transact)
      : doors.through(environmentId, { alone: false, patient }, () => outsideTheGate(transact)),
  );
}

/** Runs `work` in one transaction that can write nothing: PostgreSQL refuses it. Readers wait for nobody. */
export function readEnvironment<T>(db: Database, environmentId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return atWork(db, environmentId, entering(db, environmentId, reader, work, "read only"));
}

/** What time it is in an environment, in one round trip: for a caller that has no transaction there and needs none. */
export function timeIn(db: Database, environmentId: string): Promise<Date> {
  const read = async () => clockFromRow(await callEnter(db, environmentId, reader), reader).now();
  return inShare(db, environmentId, () => retryTransient(read, isConnectionBroken));
}

/**
 * Runs `work` in one transaction that writes beside the order of a frozen sandbox's writes: it takes no place in it and
 * may make up no ids. For what follows real time (deliveries of webhooks, sealing) and for emptying the sandbox.
 */
export function besideEnvironment<T>(
  db: Database,
  environmentId: string,
  work: (tx: Tx) => Promise<T>,
  { alone = false, hurried = false }: BesideOptions = {},
): Promise<T> {
  const transact = entering(db, environmentId, reader, work);
  const doors = doorsOf.get(db);
  return atWork(db, environmentId, () => {
    if (hurried) return transact();
    if (!alone || doors === undefined) return outsideTheGate(transact);
    return doors.through(environmentId, { alone, patient: false }, () => outsideTheGate(transact));
  });
}

export interface BesideOptions {
  /** Nobody of this process writes in the environment meanwhile, and a new writer waits without a connection. */
  readonly alone?: boolean;
  /** Does not wait while the sandbox is being emptied but throws at once (see isGateClosed). */
  readonly hurried?: boolean;
}

async function atWork<T>(db: Database, environmentId: string, transact: () => Promise<T>): Promise<T> {
  const end = activityOf.get(db)?.begin(environmentId);
  try {
    return await transact();
  } finally {
    end?.();
  }
}

const reader: Origin = { is: "reader" };

function entering<T>(
  db: Database,
  environmentId: string,
  origin: Origin,
  work: (tx: Tx) => Promise<T>,
  access: Access = "read write",
): () => Promise<T> {
  const enterAndWork = async (trx: PlainTx): Promise<T> => {
    const tx = await enter(trx, environmentId, origin);
    const { environment } = tx;
    doorsOf.get(db)?.note(environmentId, environment.clock.mode);
    if (environment.id !== operatorScope && environment.kind === "SANDBOX") shareOf.get(db)?.noteSandbox(environmentId);
    return work(tx);
  };
  return () => inShare(db, environmentId, () => runTransaction(db, enterAndWork, access));
}

function inShare<T>(db: Database, environmentId: string, transact: () => Promise<T>): Promise<T> {
  return shareOf.get(db)?.through(environmentId, transact) ?? transact();
}

const longestWaitAtGateMs = 30_000;

/** While another process empties the sandbox its writers are turned away at the gate, and come back. */
async function outsideTheGate<T>(attempt: () => Promise<T>): Promise<T> {
  for (let waitedMs = 0, restMs = 10; ; waitedMs += restMs, restMs = Math.min(restMs * 2, 200)) {
    try {
      return await attempt();
    } catch (error) {
      if (!isGateClosed(error)) throw error;
      if (waitedMs >= longestWaitAtGateMs) throw environmentBusy();
      await pause(restMs);
    }
  }
}

/** Runs `work` in one transaction that has entered no environment: tenant tables look empty from here. */
export function inTransaction<T>(db: Database, work: (tx: PlainTx) => Promise<T>): Promise<T> {
  return runTransaction(db, work, "read write");
}

/** Turns an open transaction to an environment; one round trip sets the tenant and reads its clock. */
export function enterEnvironment(trx: PlainTx, environmentId: string, place: Place = "beside"): Promise<Tx> {
  return enter(trx, environmentId, place === "in order" ? nextOrigin() : reader);
}

/** Where a transaction stands that turns to an environment: in the order of its writes, or beside it. */
export type Place = "in order" | "beside";

async function enter(trx: PlainTx, environmentId: string, origin: Origin): Promise<Tx> {
  const row = await callEnter(trx, environmentId, origin);
  const clock = clockFromRow(row, origin);
  const environment = row.kind === null ? scopeOfOperator(clock) : { id: environmentId, kind: row.kind, clock };
  return Object.assign(trx, { environment });
}

interface EnteredRow extends ClockRow {
  readonly kind: EnvironmentKind | null;
}

async function callEnter(db: Database | PlainTx, environmentId: string, origin: Origin): Promise<EnteredRow> {
  const [writes, numbered] = [origin.is !== "reader", origin.is === "request"];
  const entered = await sql<EnteredRow>`
    select e.*, clock_timestamp() as database_now
    from enter_environment(${environmentId}::uuid, ${writes}, ${numbered}) as e`.execute(db);
  const [row] = entered.rows;
  if (row === undefined) throw new Error(`environment ${environmentId} could not be entered`);
  return row;
}

function scopeOfOperator(clock: Clock): EnvironmentScope {
  return {
    id: operatorScope,
    clock,
    get kind(): EnvironmentKind {
      throw new Error("the operator's scope is neither a sandbox nor live");
    },
  };
}

/** Lets `work` draw from another clock of the same moment: the tasks that share a transaction keep their own ids. */
export async function drawingFrom<T>(tx: Tx, clock: Clock, work: () => Promise<T>): Promise<T> {
  const own = tx.environment;
  Object.assign(tx, { environment: { ...own, clock } });
  try {
    return await work();
  } finally {
    Object.assign(tx, { environment: own });
  }
}

/**
 * Steps into another environment for the length of `work`, within the same transaction, and comes back. For operators,
 * whose actions (a key issued, a merchant set up) belong to the operator's scope and to a tenant at once. The visit
 * stands beside the visited sandbox's order of writes, unless it says otherwise: one that takes ids from the sandbox's
 * clock must.
 */
export async function visitEnvironment<T>(
  tx: Tx,
  environmentId: string,
  work: (tx: Tx) => Promise<T>,
  place: Place = "beside",
): Promise<T> {
  const home = tx.environment;
  const comeBack = async (): Promise<void> => {
    await sql`select set_config('jara.environment_id', ${home.id}, true)`.execute(tx);
    Object.assign(tx, { environment: home });
  };
  try {
    const done = await work(await enterEnvironment(tx, environmentId, place));
    await comeBack();
    return done;
  } catch (error) {
    // After an error of PostgreSQL the transaction can only be rolled back; what went wrong matters, not the way home.
    await comeBack().catch(() => undefined);
    throw error;
  }
}
