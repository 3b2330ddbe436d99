/**
 * Advances that nobody waits for. What was asked for is a row; the process that runs it writes down how far it has come
 * and that it is alive. When it dies, any other process goes on from where the clock stands.
 *
 *   waiting ──▶ running ──▶ done
 *                  └──────▶ stopped (by a task that fails, or too much due: error says what to do)
 */
import { sql } from "kysely";
import { besideEnvironment, type Database, type Tx } from "../database/database.ts";
import type { Logger } from "../logger.ts";
import { commonProblem, Problem } from "../problem.ts";
import { clockProblem } from "./clock-problems.ts";
import { type AdvanceBy, readClock, targetOf } from "./clock-setting.ts";

export type AdvanceState = "waiting" | "running" | "done" | "stopped";

export interface PendingAdvance {
  readonly id: string;
  readonly state: AdvanceState;
  readonly from: Date;
  readonly to: Date;
  readonly now: Date;
  readonly ran: number;
  readonly error: { readonly code: string; readonly message: string } | null;
}

interface AdvanceRow extends Omit<PendingAdvance, "ran"> {
  readonly ran: bigint;
}

export interface PursueOptions {
  readonly db: Database;
  readonly log: Logger;
  /** Moves the clock, telling now and then how far it is. */
  advance(
    environmentId: string,
    by: AdvanceBy,
    onProgress: (ran: number, at: Date) => Promise<void>,
  ): Promise<{ readonly ran: number }>;
}

const tellEveryMs = 500;
const heartbeatMs = 3_000;

/** Throws clock_moving while another one is open. */
export async function askForAdvance(tx: Tx, by: AdvanceBy): Promise<PendingAdvance> {
  const { id: environmentId, clock } = tx.environment;
  const { now, nextDueAt } = await readClock(tx);
  const to = targetOf(now, by, nextDueAt);
  const written = await sql<AdvanceRow>`
    insert into clock_advances (environment_id, id, started_from, wanted_to, reached)
    values (${environmentId}, ${clock.newId()}, ${now}, ${to}, ${now})
    on conflict (environment_id) where state in ('waiting', 'running') do nothing
    returning ${columns}`.execute(tx);
  const [row] = written.rows;
  if (row === undefined) throw clockProblem("clock_moving");
  return toAdvance(row);
}

const columns = sql`id, state, started_from as "from", wanted_to as "to", reached as "now", ran, error`;

/** Throws not_found. */
export async function readAdvance(tx: Tx, id: string): Promise<PendingAdvance> {
  const found = await sql<AdvanceRow>`
    select ${columns} from clock_advances
    where environment_id = ${tx.environment.id} and id = ${id}::uuid`.execute(tx);
  const [row] = found.rows;
  if (row === undefined) throw commonProblem("not_found");
  return toAdvance(row);
}

/** Writes down how an advance has ended. */
export type TellEnd = () => Promise<void>;

/**
 * Takes an advance further until it is done or stopped. The caller holds the environment's lock, and tells the end when
 * it has let go of it: who reads that an advance is over may move the clock again at once.
 */
export async function pursueAdvance(options: PursueOptions, environmentId: string, id: string): Promise<TellEnd> {
  const beside = <T>(work: (tx: Tx) => Promise<T>) => besideEnvironment(options.db, environmentId, work);
  const asked = await beside((tx) => readAdvance(tx, id));
  if (asked.state === "done" || asked.state === "stopped") return async () => undefined;
  const tell = (said: Said) => beside((tx) => write(tx, id, said));
  await tell({ state: "running" });
  const alive = setInterval(() => void tell({ state: "running" }).catch(() => undefined), heartbeatMs);
  let told = 0;
  const onProgress = async (ran: number, at: Date): Promise<void> => {
    if (performance.now() - told < tellEveryMs) return;
    told = performance.now();
    await tell({ state: "running", ran: asked.ran + ran, now: at });
  };
  try {
    const { now } = await beside(readClock);
    const to = asked.to < now ? now : asked.to;
    const { ran } = await options.advance(environmentId, { to }, onProgress);
    return () => tell({ state: "done", ran: asked.ran + ran, now: to });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    options.log.warn({ err: error, environmentId, advanceId: id }, "an advance was stopped");
    const { now } = await beside(readClock);
    return () => tell({ state: "stopped", now, error: { code: error.code, message: error.message } });
  } finally {
    clearInterval(alive);
  }
}

interface Said {
  readonly state: AdvanceState;
  readonly ran?: number;
  readonly now?: Date;
  readonly error?: PendingAdvance["error"];
}

async function write(tx: Tx, id: string, { state, ran, now, error }: Said): Promise<void> {
  await sql`
    update clock_advances set state = ${state}, ran = coalesce(${ran ?? null}::bigint, ran),
      reached = coalesce(${now ?? null}::timestamptz, reached), heard_at = clock_timestamp(),
      error = ${error === undefined ? null : JSON.stringify(error)}::jsonb
    where environment_id = ${tx.environment.id} and id = ${id}::uuid and state in ('waiting', 'running')`.execute(tx);
}

function toAdvance({ ran, ...row }: AdvanceRow): PendingAdvance {
  return { ...row, ran: Number(ran) };
}
