/** Says every few seconds that this process lives, and how far its clock is from the database's. */
import { hostname } from "node:os";
import { uuidv7 } from "uuidv7";
import { type Database, inEnvironment, operatorScope, readEnvironment } from "../platform/database/database.ts";
import type { Logger } from "../platform/logger.ts";
import { every, startLoop } from "../platform/work/background-loop.ts";
import { beatEveryMs, type OurProcess } from "./process.ts";
import { readDatabaseTime, removeProcess, writeBeat } from "./process-store.ts";

export interface BeatOptions extends Pick<OurProcess, "role" | "version"> {
  readonly db: Database;
  readonly log: Logger;
}

/** From here on somebody should look at the machine's clock. */
const alarmingMs = 2_000;

/** Beats once before it returns. Stopping takes the process off the list. */
export async function startBeating({ db, log, role, version }: BeatOptions): Promise<{ stop(): Promise<void> }> {
  const self = { id: uuidv7(), role, version, host: hostname(), pid: process.pid };
  const beat = async (): Promise<void> => {
    const clockAheadMs = Math.round((await readClockAhead(db)) * 1000);
    if (Math.abs(clockAheadMs) >= alarmingMs) {
      log.warn({ clockAheadMs }, "the clocks of this machine and of the database differ");
    }
    await inEnvironment(db, operatorScope, (tx) => writeBeat(tx, { ...self, clockAheadMs }));
  };
  await beat();
  const loop = startLoop({ name: "heartbeat", log, step: every(beatEveryMs, beat) });
  return {
    stop: async () => {
      await loop.stop();
      await inEnvironment(db, operatorScope, (tx) => removeProcess(tx, self.id)).catch((error: unknown) =>
        log.warn({ err: error }, "this process could not be taken off the list"),
      );
    },
  };
}

/** Seconds by which our clock is before the database's; the way there and back is shared between the two. */
export function readClockAhead(db: Database): Promise<number> {
  return readEnvironment(db, operatorScope, async (tx) => {
    const asked = Date.now();
    const theirs = await readDatabaseTime(tx);
    return ((asked + Date.now()) / 2 - theirs.getTime()) / 1000;
  });
}
