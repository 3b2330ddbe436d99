/**
 * `npm run restore -- --from FOLDER --at 2026-11-16T09:30:00Z`: brings a database back from a folder of backups, to the
 * last change that is there or to a moment. Into JARA_HOME, or with `--data-folder` into a folder that you then start a
 * PostgreSQL of your own on. It never touches data that is there.
 */
import { copyFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { type Config, readConfig } from "./config.ts";
import { embeddedFolder } from "./open-database.ts";
import { layOut, type Moment } from "./platform/backups/lay-out.ts";
import { chooseBackup, folderOf, tellDamaged } from "./platform/backups/shelf.ts";
import { findData, startEmbeddedPostgres } from "./platform/embedded-postgres/start.ts";
import { openHome } from "./platform/secrets/home.ts";

/** Replaying a day of changes takes minutes. */
const replayTimeoutMs = 6 * 60 * 60 * 1000;

try {
  await restore(readConfig(process.env));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function restore(config: Config): Promise<void> {
  const { from, at, dataFolder } = readWords(config);
  const backup = chooseBackup(from, at);
  // Before anything else: who sees that the newest one was left out may want to mend it first.
  for (const line of tellDamaged(from, backup.damaged)) console.error(line);
  if (backup.damaged.length > 0) console.error(`The backup ${backup.label} is restored.`);
  const moment: Moment = { from, backup, at };
  if (at !== undefined && !backup.archived) {
    throw new Error(`The backup ${backup.label} stands alone: without --at it is restored to ${backup.finishedAt}.`);
  }
  if (dataFolder !== undefined) {
    await layOut(moment, dataFolder);
    console.log(
      `${dataFolder} is ready. Start PostgreSQL ${backup.serverVersion} on it: it replays the log by itself.`,
    );
  } else {
    const until = await restoreEmbedded(config, moment);
    console.log(`The database in ${config.home} is as it was at ${until}.`);
  }
  console.log("Then run npm run verify, and compare with your providers before money goes out again.");
}

interface Words {
  readonly from: string;
  readonly at: Date | undefined;
  readonly dataFolder: string | undefined;
}

function readWords(config: Config): Words {
  const { values } = parseArgs({
    options: { from: { type: "string" }, at: { type: "string" }, "data-folder": { type: "string" } },
  });
  const from = values.from === undefined ? config.backupFolder : resolve(values.from);
  if (from === undefined) throw new Error("Say where the backups are: npm run restore -- --from FOLDER");
  const dataFolder = values["data-folder"] === undefined ? undefined : resolve(values["data-folder"]);
  if (dataFolder === undefined && config.databaseUrl !== undefined) {
    throw new Error("DATABASE_URL is set: name the folder for a PostgreSQL of your own with --data-folder FOLDER.");
  }
  return { from, at: values.at === undefined ? undefined : readMoment(values.at), dataFolder };
}

/** With its zone: a restore to the wrong hour would lose an hour of money. */
function readMoment(text: string): Date {
  const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text) ? new Date(text) : undefined;
  if (moment !== undefined && !Number.isNaN(moment.getTime())) return moment;
  throw new Error("--at takes a moment with its zone, such as 2026-11-16T09:30:00+01:00 in Lagos.");
}

async function restoreEmbedded(config: Config, moment: Moment): Promise<string> {
  openHome(config.home);
  const folder = embeddedFolder(config);
  const { place, exists } = findData(folder);
  if (exists)
    throw new Error(`${place} has data. Move it away, or restore into another JARA_HOME. Nothing was changed.`);
  await layOut(moment, join(place, "data"));
  copyFileSync(join(folderOf(moment.from, moment.backup.label), "password"), join(place, "password"));
  try {
    const settings = { hot_standby: "off" };
    const postgres = await startEmbeddedPostgres({ folder, settings, startTimeoutMs: replayTimeoutMs });
    return await lastChange(postgres.ownerUrl).finally(postgres.stop);
  } catch (error) {
    rmSync(join(place, "data"), { recursive: true, force: true });
    throw new Error(explain(error, moment), { cause: error });
  }
}

function explain(error: unknown, { from, at }: Moment): string {
  const said = error instanceof Error ? error.message : String(error);
  if (!/recovery ended before configured recovery target was reached/.test(said)) return said;
  const remedy = "Choose an earlier moment, or none for the last one.";
  return `The log of changes in ${from} ends before ${at?.toISOString()}. ${remedy}`;
}

/** When the last transaction that was brought back had been committed. */
async function lastChange(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const found = await client.query<{ at: Date | null }>("select pg_last_xact_replay_timestamp() as at");
    return found.rows[0]?.at?.toISOString() ?? "the backup's own moment";
  } finally {
    await client.end();
  }
}
