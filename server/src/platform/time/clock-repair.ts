/**
 * Looks after stopped clocks whose keeper died: a killed advance left the clock standing though it should run, or a
 * killed request left due entries in a frozen sandbox, or an advance that nobody waits for is still to be made. The
 * lock tells a dead keeper from a busy one.
 */
import { sql } from "kysely";
import { type Database, readEnvironment } from "../database/database.ts";
import { type ClockControlOptions, pursuing, setMode, settle } from "./clock-control.ts";

const mostAtOnce = 100;
const silentSeconds = 10;
const restAfterFailureMs = 30_000;

/** Returns a function for a background loop to call about every second. */
export function createClockRepair(options: ClockControlOptions): () => Promise<void> {
  const quietUntil = new Map<string, number>();
  return async () => {
    await pursueSilent(options);
    for (const { environment_id: environmentId } of await findUnsettled(options.db)) {
      if ((quietUntil.get(environmentId) ?? 0) > performance.now()) continue;
      quietUntil.delete(environmentId);
      const failed = await options.locks.tryHold(environmentId, async (lock) => {
        if (await shouldRun(options.db, environmentId)) {
          await setMode(options.db, environmentId, "running", false);
          options.log.warn({ environmentId }, "an advance was cut off; its clock runs on from where it stopped");
          return 0;
        }
        return settle(options, lock, environmentId);
      });
      // An entry that keeps failing is not tried every second.
      if ((failed ?? 0) > 0) quietUntil.set(environmentId, performance.now() + restAfterFailureMs);
    }
  };
}

/** Goes on with advances whose process is gone; the lock tells it from one that is busy. */
async function pursueSilent(options: ClockControlOptions): Promise<void> {
  const found = await sql<{ environment_id: string; id: string }>`
    select environment_id, id from find_waiting_advances(${silentSeconds}, ${mostAtOnce})`.execute(options.db);
  for (const { environment_id: environmentId, id } of found.rows) {
    // Not waited for: it may take long, and the others are to be looked after meanwhile.
    void options.locks
      .tryHold(environmentId, pursuing(options, environmentId, id))
      .then((tellEnd) => tellEnd?.())
      .catch((error: unknown) => options.log.warn({ err: error, environmentId }, "an advance was cut off again"));
  }
}

async function findUnsettled(db: Database): Promise<{ environment_id: string }[]> {
  const found = await sql<{ environment_id: string }>`
    select environment_id from find_unsettled_clocks(${mostAtOnce})`.execute(db);
  return found.rows;
}

/** Asked again under the lock: the advance may have ended since. */
function shouldRun(db: Database, environmentId: string): Promise<boolean> {
  return readEnvironment(db, environmentId, async (tx) => {
    const clock = await tx
      .selectFrom("environment_clocks")
      .select(["mode", "resumes"])
      .where("environment_id", "=", environmentId)
      .executeTakeFirst();
    return clock !== undefined && clock.mode === "frozen" && clock.resumes;
  });
}
