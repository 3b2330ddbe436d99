/**
 * The agenda holds what an environment must do later, in the environment's own time. There is at most one entry for
 * a kind and subject: booking it again moves it.
 *
 * While the clock runs, the ticker makes jobs of entries that fall due. While it stands still nothing is a job, not
 * even work that is due at once: the process that moves the clock runs the entries one after another in (due_at, id)
 * order, and so equal inputs give an equal log.
 */
import { sql } from "kysely";
import type { Tx } from "../database/database.ts";
import { unawaited } from "../database/unawaited.ts";
import { insertJobs, type TaskPayload } from "./jobs.ts";

export interface TaskEntry {
  readonly kind: string;
  readonly subject: string;
  readonly payload?: TaskPayload;
  /** In the environment's time; at once when absent. */
  readonly dueAt?: Date;
}

/** Makes the entries happen if and when this transaction commits. */
export async function schedule(tx: Tx, entries: readonly TaskEntry[]): Promise<void> {
  const now = tx.environment.clock.now();
  const running = tx.environment.clock.mode === "running";
  const byTime = Map.groupBy(entries, (entry) => (running && (entry.dueAt ?? now) <= now ? "now" : "later"));
  await startNow(tx, byTime.get("now") ?? []);
  await book(tx, byTime.get("later") ?? []);
}

/** Takes entries off the agenda. A job that has already started is not stopped: its handler finds the state moved. */
export async function cancelScheduled(tx: Tx, kind: string, subjects: readonly string[]): Promise<void> {
  if (subjects.length === 0) return;
  const removal = tx
    .deleteFrom("agenda")
    .where("environment_id", "=", tx.environment.id)
    .where("kind", "=", kind)
    .where("subject", "in", subjects);
  await unawaited(() => removal.execute());
}

async function startNow(tx: Tx, entries: readonly TaskEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const { id: environmentId, kind: environment } = tx.environment;
  for (const [kind, group] of Map.groupBy(entries, (entry) => entry.kind)) {
    const subjects = [...new Set(group.map((entry) => entry.subject))];
    await cancelScheduled(tx, kind, subjects);
    await insertJobs(
      tx,
      kind,
      group.map(({ subject, payload = {} }) => ({ environmentId, subject, payload, isLive: environment === "LIVE" })),
    );
  }
}

async function book(tx: Tx, entries: readonly TaskEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await bookAll(
    tx,
    entries.map((entry) => bookingOf(tx, entry)),
  );
}

/** An entry as it is written, with the name of its task's draws. Bookings of many tasks can be written together. */
export function bookingOf(tx: Tx, entry: TaskEntry): Booking {
  const { clock } = tx.environment;
  return { ...entry, dueAt: (entry.dueAt ?? clock.now()).toISOString(), stream: clock.branch() };
}

export interface Booking extends Omit<TaskEntry, "dueAt"> {
  readonly dueAt: string;
  readonly stream: string | null;
}

export async function bookAll(tx: Tx, bookings: readonly Booking[]): Promise<void> {
  if (bookings.length === 0) return;
  // One statement cannot move the same entry twice: of several bookings of one entry the last holds.
  const distinct = new Map(bookings.map((booking) => [`${booking.kind}\n${booking.subject}`, booking]));
  await unawaited(() => sql`select book_agenda(${JSON.stringify([...distinct.values()])}::jsonb)`.execute(tx));
}
