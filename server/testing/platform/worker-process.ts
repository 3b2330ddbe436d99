/**
 * A worker as a process of its own, for tests that kill it. It notes each run of a task in the table `runs` and, when
 * told to hang, never finishes one.
 */
import { flushCompileCache } from "node:module";
import { argv } from "node:process";
import { sql } from "kysely";
import { createDatabase, createPool } from "../../src/platform/database/database.ts";
import { createEnvironmentLocks } from "../../src/platform/time/environment-lock.ts";
import type { Task } from "../../src/platform/work/jobs.ts";
import { startWorker } from "../../src/start/tasks.ts";
import { silentLog } from "../work.ts";

const [, , url = "", name = "worker", mood = "willing"] = argv;
const db = createDatabase(createPool({ url, poolSize: 5 }));
const locks = createEnvironmentLocks({ url });

const handle = async (task: Task): Promise<void> => {
  await sql`insert into runs (worker, subject) values (${name}, ${task.subject})`.execute(db);
  if (mood === "hanging") await new Promise(() => setInterval(() => undefined, 1_000));
};

const kinds = new Map([["test.note", { handle }]]);
const tasks = { kinds, sweepSources: [], loops: [] };
await startWorker({ db, log: silentLog, locks, tasks, directUrl: url, graceMs: 1_000 });
// A process that is killed writes nothing at its end, and the next would compile all again.
flushCompileCache();
process.stdout.write("ready\n");
