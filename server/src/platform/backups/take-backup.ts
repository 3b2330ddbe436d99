/**
 * A base backup of a PostgreSQL that goes on working. Where we can see its data folder, we copy it as PostgreSQL's
 * manual says (`pg_backup_start`, copy, `pg_backup_stop`); a PostgreSQL elsewhere is asked by its own `pg_basebackup`.
 */
import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { programEnvironment } from "../embedded-postgres/account.ts";
import { copyTree, syncToDisk } from "./copy-tree.ts";
import { type Backup, backupFile, beginBackup, folderOf } from "./shelf.ts";

export interface BackupSource {
  readonly ownerUrl: string;
  /** Where its data lies, when that is on this machine and ours to read. */
  readonly dataFolder?: string;
  /** Kept beside the data, because the logins of a restored database are those of the old one. */
  readonly passwordFile?: string;
}

export interface TakenBackup extends Backup {
  readonly folder: string;
  readonly bytes: number;
}

/** Made again by every start, or another server's own. */
const leftOut = new Set([
  "pg_wal",
  "pg_replslot",
  "pg_dynshmem",
  "pg_notify",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
]);
const leftOutFiles = /^(postmaster\.(pid|opts)|pg_internal\.init|current_logfiles|.*\.conf\.tmp)$/;

/** An archive on a slow disk takes seconds for a segment. */
const archiveTimeoutMs = 120_000;

export async function takeBackup(source: BackupSource, folder: string, label: string): Promise<TakenBackup> {
  const place = beginBackup(folder, label);
  const { dataFolder, ownerUrl } = source;
  const { bytes, ...details } =
    dataFolder === undefined
      ? await askForBackup(ownerUrl, place)
      : await copyData(ownerUrl, dataFolder, join(place, "data"), label);
  if (source.passwordFile !== undefined) copyFileSync(source.passwordFile, join(place, "password"));
  const { now: finishedAt } = await withClient(ownerUrl, readClock);
  const backup: Backup = { label, finishedAt: finishedAt.toISOString(), ...details };
  writeFileSync(join(place, backupFile), `${JSON.stringify(backup, null, 2)}\n`);
  for (const path of [join(place, backupFile), place]) await syncToDisk(path);
  renameSync(place, folderOf(folder, label));
  await syncToDisk(join(folder, "base"));
  return { ...backup, folder: folderOf(folder, label), bytes };
}

type Details = Pick<Backup, "firstSegment" | "serverVersion" | "archived"> & { readonly bytes: number };

async function copyData(ownerUrl: string, data: string, to: string, label: string): Promise<Details> {
  return withClient(ownerUrl, async (client) => {
    const about = await describeServer(client);
    // Holds back the log of the time in between, whether anybody archives it or not; it ends with this connection.
    await client.query("select pg_create_physical_replication_slot($1, true, true)", [`jara_backup_${process.pid}`]);
    const started = await one<{ segment: string }>(
      client,
      "select pg_walfile_name(lsn) as segment from pg_backup_start($1, true) as lsn",
      [label],
    );
    const bytes = await copyTree(data, to, isWanted);
    const stopped = await stopBackup(client, about.archived);
    if (stopped.spcmapfile.trim() !== "") throw new Error("Tables in other places (tablespaces) cannot be copied.");
    writeFileSync(join(to, "backup_label"), stopped.labelfile);
    for (const name of leftOut) mkdirSync(join(to, name), { mode: 0o700 });
    for (const segment of await segmentsBetween(client, started.segment, stopped.segment)) {
      copyFileSync(join(data, "pg_wal", segment), join(to, "pg_wal", segment));
      await syncToDisk(join(to, "pg_wal", segment));
    }
    return { ...about, firstSegment: started.segment, bytes };
  });
}

/** Waits until the archive has everything that the backup needs, where there is an archive. */
async function stopBackup(
  client: pg.Client,
  archived: boolean,
): Promise<{ segment: string; labelfile: string; spcmapfile: string }> {
  await client.query(`set statement_timeout = ${archiveTimeoutMs}`);
  try {
    return await one(client, "select pg_walfile_name(lsn) as segment, labelfile, spcmapfile from pg_backup_stop($1)", [
      archived,
    ]);
  } catch (cause) {
    const archive = archived ? " The log of changes does not reach the archive; PostgreSQL's own log says why." : "";
    throw new Error(`The backup could not be finished.${archive}`, { cause });
  }
}

function isWanted(path: string, isFolder: boolean): boolean {
  if (isFolder) return !leftOut.has(path) && !/(^|\/)pgsql_tmp/.test(path);
  return !leftOutFiles.test(path.slice(path.lastIndexOf("/") + 1));
}

async function segmentsBetween(client: pg.Client, first: string, last: string): Promise<string[]> {
  const found = await client.query<{ name: string }>(
    "select name from pg_ls_waldir() where name between $1 and $2 and length(name) = 24 order by name",
    [first, last],
  );
  return found.rows.map(({ name }) => name);
}

/** Streams the log of the time in between along, so that the backup can stand alone. */
async function askForBackup(ownerUrl: string, place: string): Promise<Details> {
  const about = await withClient(ownerUrl, describeServer);
  const to = join(place, "data");
  // Other people on the machine can read a command's words, but not its environment.
  const url = new URL(ownerUrl);
  const password = decodeURIComponent(url.password);
  url.password = "";
  const words = ["--dbname", url.toString(), "--pgdata", to, "--wal-method=stream", "--checkpoint=fast"];
  await run("pg_basebackup", words, { PGPASSWORD: password });
  const firstSegment = /\(file ([0-9A-F]{24})\)/.exec(readFileSync(join(to, "backup_label"), "utf8"))?.[1];
  if (firstSegment === undefined) throw new Error(`${to} has no backup_label that can be read.`);
  return { ...about, firstSegment, bytes: 0 };
}

function run(program: string, words: readonly string[], settings: Readonly<Record<string, string>>): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, {
      stdio: ["ignore", "inherit", "pipe"],
      env: { ...programEnvironment, ...settings },
    });
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    child.once("error", () =>
      reject(new Error(`${program} is missing. Install PostgreSQL's client programs (Debian: postgresql-client).`)),
    );
    child.once("close", (code) => (code === 0 ? resolve() : reject(new Error(`${program}: ${said.trim()}`))));
  });
}

/** The clock that stamps the log: moments to restore to are told by it. */
function readClock(client: pg.Client): Promise<{ now: Date }> {
  return one(client, "select clock_timestamp() as now");
}

async function describeServer(client: pg.Client): Promise<Pick<Backup, "serverVersion" | "archived">> {
  return one(
    client,
    `select current_setting('server_version') as "serverVersion", current_setting('archive_mode') <> 'off' as archived`,
  );
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function one<Row extends pg.QueryResultRow>(
  client: pg.Client,
  text: string,
  values: unknown[] = [],
): Promise<Row> {
  const [row] = (await client.query<Row>(text, values)).rows;
  if (row === undefined) throw new Error(`PostgreSQL returned nothing to: ${text}`);
  return row;
}
