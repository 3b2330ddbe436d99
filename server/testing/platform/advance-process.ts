/** Advances a sandbox's clock by a day in a process of its own and hangs at the subject given, for a test to kill. */
import { argv } from "node:process";
import { sql } from "kysely";
import { createDatabase, createPool } from "../../src/platform/database/database.ts";
import { createClockControl } from "../../src/platform/time/clock-control.ts";
import { createEnvironmentLocks } from "../../src/platform/time/environment-lock.ts";
import type { Task } from "../../src/platform/work/jobs.ts";
import { silentLog } from "../work.ts";

const [, , url = "", environmentId = "", hangAt = ""] = argv;
const db = createDatabase(createPool({ url, poolSize: 5 }));
const locks = createEnvironmentLocks({ url });

const handle = async (task: Task): Promise<void> => {
  await sql`insert into runs (worker, subject) values ('advance', ${task.subject})`.execute(db);
  if (task.subject === hangAt) await new Promise(() => setInterval(() => undefined, 1_000));
};

const control = createClockControl({ db, locks, log: silentLog, kinds: new Map([["test.note", { handle }]]) });
await control.advance(environmentId, { days: 1 });
