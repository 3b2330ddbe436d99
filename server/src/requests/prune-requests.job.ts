/** Takes away what is older than it may be, and what an environment has beyond its share, in small steps. */
import type { Database } from "../platform/database/database.ts";
import { pruneRequests } from "./request-store.ts";

const dayMs = 24 * 60 * 60 * 1_000;
/** Of one environment. */
const mostKept = 20_000;
const atOnce = 1_000;
const mostSteps = 20;

export interface Retention {
  /** None: the log is turned off, and what it has goes. */
  readonly days: number;
  readonly most?: number;
}

export async function pruneLog(db: Database, { days, most = mostKept }: Retention): Promise<void> {
  const before = new Date(Date.now() - days * dayMs);
  for (let steps = 0; steps < mostSteps; steps += 1) {
    if ((await pruneRequests(db, { before, most, atOnce })) === 0n) return;
  }
}
