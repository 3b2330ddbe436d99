/**
 * Gives committed events their list positions. Transactions commit in another order than they wrote, so a position
 * taken while writing could become visible after a higher one, and a reader who keeps a cursor would miss it. Here one
 * sequencer at a time numbers what it can see; every process runs one, and a database lock elects who works. A pass
 * numbers live events first, and of each sandbox a part, so that one which writes much keeps nobody waiting.
 */
import { sql } from "kysely";
import type { Database } from "../database/database.ts";

const mostAtOnce = 5_000;
/** What a pass takes of one sandbox (see sequence_events). */
const mostOfOne = mostAtOnce / 5;
const shortRestMs = 10;
const longRestMs = 100;

/** Returns how many events were given a position. */
export async function sequenceEvents(db: Database): Promise<number> {
  const done = await sql<{ sequenced: number }>`select sequence_events(${mostAtOnce}) as sequenced`.execute(db);
  return done.rows[0]?.sequenced ?? 0;
}

/**
 * A step for a background loop: again at once while somebody may have more, soon while events come, slowly when they
 * do not. It polls on purpose: a notification on every commit with an event would make those commits wait for one
 * another.
 */
export function createSequencer(db: Database): () => Promise<number> {
  let restMs = longRestMs;
  return async () => {
    const sequenced = await sequenceEvents(db);
    if (sequenced >= mostOfOne) return 0;
    restMs = sequenced > 0 ? shortRestMs : Math.min(restMs * 2, longRestMs);
    return restMs;
  };
}
