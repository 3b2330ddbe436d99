/**
 * `npm run restore -- --from FOLDER --at 2026-11-16T09:30:00Z`: brings a database back from a folder of backups, to the
 * last change that is there or to a moment. Into JARA_HOME, or with `--data-folder` into a folder that you then start a
 * PostgreSQL of your own on. It never touches data that is there. A log of changes with a damaged or missing segment is
 * refused: PostgreSQL would end there without a word. `--accept-loss` restores what comes before it.
 */
import { copyFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import {
  type ChangeLog,
  isReplayed,
  lookThroughLog,
  readLsn,
  tellProblems,
  writeLsn,
} from "../platform/backups/change-log.ts";
import { layOut, type Moment } from "../platform/backups/lay-out.ts";
import { chooseBackup, folderOf, listBackups, tellDamaged } from "../platform/backups/shelf.ts";
import { findData, startEmbeddedPostgres } from "../platform/embedded-postgres/start.ts";
import { openHome } from "../platform/secrets/home.ts";
import { type Config, readConfig } from "../start/config.ts";
import { embeddedFolder } from "../start/open-database.ts";

/** Replaying a day of changes takes minutes. */
const replayTimeoutMs = 6 * 60 * 60 * 1000;

const lossCure =
  "Bring the segment back from another copy of the folder, or restore an earlier moment with --at. With --accept-loss everything before it is restored, and what came after is lost.";

try {
  await restore(readConfig(process.env));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function restore(config: Config): Promise<void> {
  const { from, at, dataFolder, acceptLoss } = readWords(config);
  const backup = chooseBackup(from, at);
  // Before anything else: who sees that the newest one was left out may want to mend it first.
  for (const line of tellDamaged(from, backup.damaged)) console.error(line);
  if (backup.damaged.length > 0) console.error(`The backup ${backup.label} is restored.`);
  const moment: Moment = { from, backup, at, acceptLoss };
  if (at !== undefined && !backup.archived) {
    throw new Error(`The backup ${backup.label} stands alone: without --at it is restored to ${backup.finishedAt}.`);
  }
  // PostgreSQL itself refuses a log that ends before a wanted moment.
  const log = at === undefined && backup.archived ? await readWholeLog(moment) : undefined;
  if (dataFolder !== undefined) {
    await layOut(moment, dataFolder);
    console.log(
      `${dataFolder} is ready. Start PostgreSQL ${backup.serverVersion} on it: it replays the log by itself.`,
    );
    if (log?.newest !== undefined) {
      const query = `select pg_last_wal_replay_lsn() >= '${writeLsn(log.newest.begin)}'`;
      console.log(`Then ask it: ${query}. If that is false, the log was not replayed to its end.`);
    }
  } else {
    const until = await restoreEmbedded(config, moment, log);
    console.log(`The database in ${config.home} is as it was at ${until}.`);
  }
  console.log("Then run npm run verify, and compare with your providers before money goes out again.");
}

/** Refuses one that has a damaged or missing segment, unless the loss is accepted. */
async function readWholeLog({ from, backup, acceptLoss = false }: Moment): Promise<ChangeLog> {
  const log = await lookThroughLog(from, backup, listBackups(from).backups, "bytes");
  if (log.problems.length === 0) return log;
  const says = `The log of changes in ${from} is not whole: ${tellProblems(log.problems)}`;
  if (!acceptLoss) throw new Error(`${says} ${lossCure} Nothing was changed.`);
  console.error(`${says} What came after is lost.`);
  return log;
}

interface Words {
  readonly from: string;
  readonly at: Date | undefined;
  readonly dataFolder: string | undefined;
  readonly acceptLoss: boolean;
}

function readWords(config: Config): Words {
  const { values } = parseArgs({
    options: {
      from: { type: "string" },
      at: { type: "string" },
      "data-folder": { type: "string" },
      "accept-loss": { type: "boolean" },
    },
  });
  const from = values.from === undefined ? config.backupFolder : resolve(values.from);
  if (from === undefined) throw new Error("Say where the backups are: npm run restore -- --from FOLDER");
  const dataFolder = values["data-folder"] === undefined ? undefined : resolve(values["data-folder"]);
  if (dataFolder === undefined && config.databaseUrl !== undefined) {
    throw new Error("DATABASE_URL is set: name the folder for a PostgreSQL of your own with --data-folder FOLDER.");
  }
  const at = values.at === undefined ? undefined : readMoment(values.at);
  return { from, at, dataFolder, acceptLoss: values["accept-loss"] === true };
}

/** With its zone: a restore to the wrong hour would lose an hour of money. */
function readMoment(text: string): Date {
  const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text) ? new Date(text) : undefined;
  if (moment !== undefined && !Number.isNaN(moment.getTime())) return moment;
  throw new Error("--at takes a moment with its zone, such as 2026-11-16T09:30:00+01:00 in Lagos.");
}

async function restoreEmbedded(config: Config, moment: Moment, log: ChangeLog | undefined): Promise<string> {
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
    const replayed = await readReplayed(postgres.ownerUrl).finally(postgres.stop);
    await refuseShortReplay(moment, log, replayed);
    return replayed.at ?? "the backup's own moment";
  } catch (error) {
    rmSync(join(place, "data"), { recursive: true, force: true });
    throw new Error(await explain(error, moment), { cause: error });
  }
}

/** A segment may be whole for gzip and hold a change that is not: PostgreSQL ends there as well. */
async function refuseShortReplay(moment: Moment, log: ChangeLog | undefined, { end, at }: Replayed): Promise<void> {
  const newest = log?.newest;
  if (log === undefined || newest === undefined || end === undefined) return;
  if (await isReplayed(moment.from, log, end)) return;
  const reached = `The replay ended at ${writeLsn(end)} (last change: ${at ?? "none"})`;
  const says = `${reached}, before the end of ${newest.name}, the newest segment in ${moment.from}.`;
  if (moment.acceptLoss !== true) throw new Error(`${says} ${lossCure}`);
  console.error(`${says} What came after is lost.`);
}

/** What PostgreSQL says about a moment that it did not reach, in our words. */
async function explain(error: unknown, { from, backup, at }: Moment): Promise<string> {
  const said = error instanceof Error ? error.message : String(error);
  if (at === undefined) return said;
  const { problems } = await lookThroughLog(from, backup, listBackups(from).backups, "bytes");
  if (problems.length > 0) {
    const says = `${at.toISOString()} cannot be reached: the log of changes in ${from} is not whole.`;
    return `${says} ${tellProblems(problems)} ${lossCure}`;
  }
  if (!/recovery ended before configured recovery target was reached/.test(said)) return said;
  const remedy = "Choose an earlier moment. The log is whole: without --at it is restored to its last change.";
  return `The log of changes in ${from} ends before ${at.toISOString()}. ${remedy}`;
}

interface Replayed {
  /** Where the log ended for PostgreSQL; undefined when it replayed nothing. */
  readonly end: bigint | undefined;
  /** When the last transaction that was brought back had been committed. */
  readonly at: string | undefined;
}

async function readReplayed(url: string): Promise<Replayed> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const found = await client.query<{ at: Date | null; end: string | null }>(
      `select pg_last_xact_replay_timestamp() as at, pg_last_wal_replay_lsn()::text as "end"`,
    );
    const { at = null, end = null } = found.rows[0] ?? {};
    return { at: at?.toISOString(), end: end === null ? undefined : readLsn(end) };
  } finally {
    await client.end();
  }
}
