/** Opens the further databases of JARA_CELLS, and keeps up with where environments live. */
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { createDirectory, followHome, lookEveryMs, refuseStrays } from "./cells/follow-cells.ts";
import { firstNumbers } from "./cells/session-numbers.ts";
import type { Config } from "./config.ts";
import { type OpenDatabase, openDatabase } from "./open-database.ts";
import { openMasterKeys } from "./open-master-keys.ts";
import { attachCells, type CellDirectory, cellFor } from "./platform/database/cells.ts";
import { createDatabase, createPool, type Database } from "./platform/database/database.ts";
import { createLogger, type Logger } from "./platform/logger.ts";
import { createEnvironmentLocks, type EnvironmentLocks } from "./platform/time/environment-lock.ts";
import { prepareJobs } from "./platform/work/jobs-schema.ts";
import { house } from "./slices.ts";

/** A database that holds environments, and what this process has of it. */
export interface OpenCell {
  readonly database: OpenDatabase;
  readonly pool: pg.Pool;
  readonly db: Database;
  readonly locks: EnvironmentLocks;
}

export interface OpenCells {
  readonly cells: ReadonlyMap<string, OpenCell>;
  readonly directory: CellDirectory;
  /** Locks for an environment of any cell. */
  readonly locks: EnvironmentLocks;
  close(): Promise<void>;
}

/** Without cells everything stays as it is: home's database is asked nothing more than before. */
export async function openCells(config: Config, home: OpenCell, log: Logger): Promise<OpenCells> {
  const cells = new Map<string, OpenCell>();
  const stopping = new AbortController();
  const directory = createDirectory();
  let following: Promise<void> = Promise.resolve();
  const close = async (): Promise<void> => {
    stopping.abort();
    await following;
    for (const cell of cells.values()) await closeCell(cell);
  };
  if (config.cells.size === 0) return { cells, directory, locks: home.locks, close };
  try {
    for (const [name, url] of config.cells) {
      const database = await openCellDatabase(config, name, url, log);
      cells.set(name, connectCell(config, database, log));
    }
    await hideClosed(home.database.ownerUrl);
    await refuseStrays(
      home.db,
      mapOf(cells, ({ db }) => db),
    );
    await followHome(directory, home, cells.values());
  } catch (error) {
    await close();
    throw error;
  }
  attachCells(
    home.db,
    mapOf(cells, ({ db }) => db),
    directory,
  );
  attachCells(
    home.locks,
    mapOf(cells, ({ locks }) => locks),
    directory,
  );
  following = followOn(() => followHome(directory, home, cells.values()), log, stopping.signal);
  return { cells, directory, locks: routed(home.locks), close };
}

function mapOf<T>(cells: ReadonlyMap<string, OpenCell>, pick: (cell: OpenCell) => T): ReadonlyMap<string, T> {
  return new Map([...cells].map(([name, cell]) => [name, pick(cell)]));
}

async function followOn(follow: () => Promise<void>, log: Logger, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    await pause(lookEveryMs, undefined, { signal: stopped }).catch(() => undefined);
    if (stopped.aborted) return;
    await follow().catch((error: unknown) => log.warn({ err: error }, "the cells could not be followed"));
  }
}

/** All cells for a program that runs beside the servers: over few connections, and past a pooler. */
export async function withAllCells<T>(
  config: Config,
  work: (db: Database, home: OpenDatabase) => Promise<T>,
): Promise<T> {
  const log = createLogger({ level: "silent" });
  const few = { ...config, poolSize: 2 };
  const opened = await openDatabase(config);
  try {
    const home = connectCell(few, { ...opened, appUrl: opened.directUrl, preparedStatements: true }, log);
    try {
      const { close } = await openCells(few, home, log);
      return await work(home.db, opened).finally(close);
    } finally {
      await home.locks.close();
      await home.db.destroy();
    }
  } finally {
    await opened.close();
  }
}

/** Brings a cell's database up to date, and makes it one of this house. */
export async function openCellDatabase(config: Config, name: string, url: string, log?: Logger): Promise<OpenDatabase> {
  const { databaseOwnerUrl: _owner, databaseDirectUrl: _direct, ...rest } = config;
  const first = firstNumbers(config.cells.keys()).get(name) ?? 0n;
  const database = await openDatabase({ ...rest, databaseUrl: url }, log);
  try {
    await openMasterKeys(config, database.ownerUrl);
    await prepareJobs(database.ownerUrl, house.taskKinds);
    await hideClosed(database.ownerUrl, `call count_sessions_from(${first})`);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Pool and locks of a database that is open already. */
export function connectCell(config: Pick<Config, "poolSize">, database: OpenDatabase, log: Logger): OpenCell {
  const { appUrl: url, preparedStatements, directUrl } = database;
  const role = database.role === undefined ? {} : { role: database.role };
  const onError = (error: Error) => log.warn({ err: error }, "a database connection was lost");
  const pool = createPool({ url, preparedStatements, ...role, poolSize: config.poolSize, onError });
  return { database, pool, db: createDatabase(pool), locks: createEnvironmentLocks({ url: directUrl, ...role }) };
}

async function closeCell({ database, db, locks }: OpenCell): Promise<void> {
  await locks.close();
  await db.destroy();
  await database.close();
}

/** See the procedure. It waits for the tables it changes, and whoever comes after it waits too, so it is quick or fails. */
async function hideClosed(ownerUrl: string, further = "select"): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query(`set lock_timeout = '5s'; call hide_closed_environments(); ${further}`);
  } finally {
    await client.end();
  }
}

function routed(home: EnvironmentLocks): EnvironmentLocks {
  return {
    hold: (environmentId, work) => cellFor(home, environmentId).hold(environmentId, work),
    tryHold: (environmentId, work) => cellFor(home, environmentId).tryHold(environmentId, work),
    close: () => home.close(),
  };
}
