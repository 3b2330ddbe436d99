/**
 * Makes jobs of agenda entries that fall due, for all running environments, those of live ones first. Any number of
 * processes may tick: each entry is taken by one of them, and its job is inserted in the transaction that removes it.
 */
import { sql } from "kysely";
import { type Database, inTransaction, type PlainTx } from "../database/database.ts";
import { insertJobs, type TaskPayload } from "./jobs.ts";

interface DueRow {
  readonly environment_id: string;
  readonly kind: string;
  readonly subject: string;
  readonly payload: TaskPayload;
  readonly is_live: boolean;
}

const mostAtOnce = 500;
const longestRestMs = 200;

/** One look at the agenda. Returns how many milliseconds to rest: an entry due sooner shortens it. */
export async function tick(db: Database, kinds: readonly string[]): Promise<number> {
  const untilNext = await nextWakeMs(db, kinds);
  if (untilNext === null || untilNext > longestRestMs) return longestRestMs;
  if (untilNext > 0) return Math.ceil(untilNext);
  const moved = await inTransaction(db, (trx) => moveDue(trx, kinds));
  // Nothing moved although something was due: another process has it in hand.
  return moved === mostAtOnce ? 0 : 5;
}

async function nextWakeMs(db: Database, kinds: readonly string[]): Promise<number | null> {
  const next = await sql<{ ms: number | null }>`select next_agenda_wake_ms(${kinds}::text[]) as ms`.execute(db);
  return next.rows[0]?.ms ?? null;
}

async function moveDue(trx: PlainTx, kinds: readonly string[]): Promise<number> {
  const due = await sql<DueRow>`select * from take_due_agenda(${kinds}::text[], ${mostAtOnce})`.execute(trx);
  for (const [kind, rows] of Map.groupBy(due.rows, (row) => row.kind)) {
    const tasks = rows.map((row) => ({
      environmentId: row.environment_id,
      subject: row.subject,
      payload: row.payload,
      isLive: row.is_live,
    }));
    await insertJobs(trx, kind, tasks);
  }
  return due.rows.length;
}
