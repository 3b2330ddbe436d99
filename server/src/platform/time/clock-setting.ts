/** Reads and sets an environment's clock, and computes where an advance leads. */
import { sql } from "kysely";
import type { PlainTx, Tx } from "../database/database.ts";
import { clockProblem } from "./clock-problems.ts";

export interface ClockReading {
  readonly now: Date;
  readonly mode: "running" | "frozen";
  readonly seed: string | null;
  readonly nextDueAt: Date | null;
}

export interface ClockChange {
  readonly mode: "running" | "frozen";
  /** Any moment, also an earlier one: this is how a fresh sandbox is given its beginning. */
  readonly now?: Date;
  readonly seed?: string;
}

export type AdvanceBy =
  | { readonly seconds: number }
  | { readonly days: number }
  | { readonly to: Date }
  | { readonly until: "next_due" };

/** Frozen without a seed ever given, a sandbox still makes the same ids from the same inputs. */
const defaultSeed = "jara";

const earliest = Date.UTC(2000, 0, 1);
const latest = Date.UTC(2100, 0, 1);
const dayMs = 86_400_000; // Lagos has no daylight saving: a calendar day there is always 24 hours.

export async function readClock(tx: Tx): Promise<ClockReading> {
  const found = await sql<{ mode: "running" | "frozen"; seed: string | null; next_due_at: Date | null }>`
    select coalesce(case when c.resumes then 'running' else c.mode end, 'running') as mode, c.seed,
      (select min(a.due_at) from agenda a where a.environment_id = e.id) as next_due_at
    from environments e left join environment_clocks c on c.environment_id = e.id
    where e.id = ${tx.environment.id}`.execute(tx);
  const row = found.rows[0];
  if (row === undefined) throw new Error(`environment ${tx.environment.id} does not exist`);
  return { now: tx.environment.clock.now(), mode: row.mode, seed: row.seed, nextDueAt: row.next_due_at };
}

/** The caller holds the environment's lock. Returns the environment's time from now on. */
export async function setClock(tx: PlainTx, environmentId: string, change: ClockChange): Promise<Date> {
  if (change.now !== undefined) assertInRange(change.now);
  const kept = await sql<{ seed: string | null }>`
    select seed from environment_clocks where environment_id = ${environmentId}`.execute(tx);
  const seed = change.seed ?? (change.mode === "frozen" ? (kept.rows[0]?.seed ?? defaultSeed) : undefined);
  const set = await sql<{ now: Date }>`select set_environment_clock(${environmentId}::uuid, ${change.mode},
    ${change.now ?? null}::timestamptz, ${seed ?? null}, false) as now`.execute(tx);
  const row = set.rows[0];
  if (row === undefined) throw new Error("the clock gave no answer");
  return row.now;
}

export function targetOf(now: Date, by: AdvanceBy, nextDueAt: Date | null): Date {
  const target = wantedTime(now, by, nextDueAt);
  if (target < now) throw clockProblem("clock_goes_back", { data: { now: now.toISOString() } });
  assertInRange(target);
  return target;
}

function wantedTime(now: Date, by: AdvanceBy, nextDueAt: Date | null): Date {
  if ("seconds" in by) return new Date(now.getTime() + Math.round(by.seconds * 1_000));
  if ("days" in by) return new Date(now.getTime() + by.days * dayMs);
  if ("to" in by) return by.to;
  // What is already overdue is run where the clock stands.
  return nextDueAt === null || nextDueAt < now ? now : nextDueAt;
}

function assertInRange(time: Date): void {
  const ms = time.getTime();
  if (!(ms >= earliest && ms < latest)) throw clockProblem("clock_out_of_range");
}
