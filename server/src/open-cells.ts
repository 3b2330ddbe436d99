/** Opens the further databases of JARA_CELLS, and keeps up with where environments live. */
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { type CellStates, createCellStates } from "./cells/cell-states.ts";
import {
  createDirectory,
  type FollowedDirectory,
  followCell,
  lookEveryMs,
  refuseStrays,
  supplyCell,
} from "./cells/follow-cells.ts";
import { firstNumbers } from "./cells/session-numbers.ts";
import type { Config } from "./config.ts";
import { type OpenDatabase, openDatabase } from "./open-database.ts";
import { openMasterKeys } from "./open-master-keys.ts";
import { attachCells, cellFor } from "./platform/database/cells.ts";
import { createDatabase, createPool, type Database } from "./platform/database/database.ts";
import { isConnectionLost, isLoginRefused } from "./platform/database/retry-transient.ts";
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
  /** Those that are there. One that was away joins them when it is back. */
  readonly cells: ReadonlyMap<string, OpenCell>;
  readonly directory: FollowedDirectory;
  readonly states: CellStates;
  /** Locks for an environment of any cell. */
  readonly locks: EnvironmentLocks;
  /** Tries the cells that are away again and again, and gives each to `join` before anybody is led there. Returns its end. */
  awaitAbsent(join: (name: string, cell: OpenCell) => Promise<void>): () => Promise<void>;
  close(): Promise<void>;
}

/** How often a cell that is away is tried again. */
const tryAgainMs = 2_000;

/** Without cells everything stays as it is: home's database is asked nothing more than before. */
export async function openCells(
  config: Config,
  home: OpenCell,
  log: Logger,
  { mayBeAway = false }: { readonly mayBeAway?: boolean } = {},
): Promise<OpenCells> {
  const room = createRoom(config, home, log);
  const { cells, directory, states, close } = room;
  const none = { cells, directory, states, close };
  if (config.cells.size === 0) return { ...none, locks: home.locks, awaitAbsent: () => async () => undefined };
  try {
    for (const [name, url] of config.cells) {
      const cell = await reachCell(config, { name, url, mayBeAway }, log, states);
      if (cell !== undefined) room.admit(name, cell);
    }
    await hideClosed(home.database.ownerUrl);
    await refuseStrays(home.db, room.dbs);
    await directory.read(home.db);
    for (const cell of cells.values()) await supplyCell(home, cell);
  } catch (error) {
    await close();
    throw error;
  }
  attachCells(home.db, room.dbs, directory);
  attachCells(home.locks, room.locks, directory);
  room.follow();
  const awaitAbsent: OpenCells["awaitAbsent"] = (join) => waitForAbsent({ config, home, log, room, join });
  return { ...none, locks: routed(home.locks), awaitAbsent };
}

/** The cells that are there, and what keeps this process up to date with them. */
interface Room {
  readonly cells: ReadonlyMap<string, OpenCell>;
  readonly dbs: ReadonlyMap<string, Database>;
  readonly locks: ReadonlyMap<string, EnvironmentLocks>;
  readonly directory: FollowedDirectory;
  readonly states: CellStates;
  admit(name: string, cell: OpenCell): void;
  /** From now on home is asked where environments live, and every cell whether it is there. */
  follow(): void;
  close(): Promise<void>;
}

function createRoom(config: Config, home: OpenCell, log: Logger): Room {
  const cells = new Map<string, OpenCell>();
  const dbs = new Map<string, Database>();
  const locks = new Map<string, EnvironmentLocks>();
  const states = createCellStates(config.cells.keys(), log);
  const isAway = (name: string): boolean => !cells.has(name) || states.isThere.get(name) === false;
  const directory = createDirectory(() => [...config.cells.keys()].filter(isAway));
  const stopping = new AbortController();
  const following: Promise<void>[] = [];
  let isFollowing = false;
  // Each by itself: a cell that does not reply must not keep the others waiting.
  const repeat = (look: () => Promise<void>) => following.push(followOn(look, log, stopping.signal));
  const followAlong = (name: string, cell: OpenCell) => repeat(() => followCell(name, cell, home, states));
  return {
    cells,
    dbs,
    locks,
    directory,
    states,
    admit(name, cell) {
      dbs.set(name, cell.db);
      locks.set(name, cell.locks);
      cells.set(name, cell);
      if (isFollowing) followAlong(name, cell);
    },
    follow() {
      isFollowing = true;
      repeat(() => directory.read(home.db));
      for (const [name, cell] of cells) followAlong(name, cell);
    },
    async close() {
      stopping.abort();
      await Promise.all(following);
      for (const cell of cells.values()) await closeCell(cell);
    },
  };
}

interface Reached {
  readonly name: string;
  readonly url: string;
  /** One that nobody replies for is left for later. */
  readonly mayBeAway: boolean;
}

async function reachCell(
  config: Config,
  { name, url, mayBeAway }: Reached,
  log: Logger,
  states: CellStates,
): Promise<OpenCell | undefined> {
  try {
    const database = await openCellDatabase(config, name, url, log, mayBeAway ? 0 : undefined);
    return connectCell(config, database, log);
  } catch (error) {
    if (!mayBeAway || !isUnreachable(error)) throw error;
    states.note(name, false, error);
    return undefined;
  }
}

/** Whether a database that could not be opened is away. One that refuses us is wrong, and no time mends that. */
export function isUnreachable(error: unknown): boolean {
  const isAway = (reason: unknown) => isConnectionLost(reason) && !isLoginRefused(reason);
  return isAway(error) || (error instanceof Error && isAway(error.cause));
}

interface Absence {
  readonly config: Config;
  readonly home: OpenCell;
  readonly log: Logger;
  readonly room: Room;
  join(name: string, cell: OpenCell): Promise<void>;
}

function waitForAbsent(absence: Absence): () => Promise<void> {
  const stopping = new AbortController();
  const { config, room } = absence;
  const unopened = [...config.cells.keys()].filter((name) => !room.cells.has(name));
  const waiting = unopened.map((name) => waitForCell(name, absence, stopping.signal));
  return async () => {
    stopping.abort();
    await Promise.all(waiting);
  };
}

async function waitForCell(name: string, absence: Absence, stopped: AbortSignal): Promise<void> {
  const { config, home, log, room, join } = absence;
  const url = config.cells.get(name) ?? "";
  for (;;) {
    await pause(tryAgainMs, undefined, { signal: stopped }).catch(() => undefined);
    if (stopped.aborted) return;
    let cell: OpenCell | undefined;
    try {
      cell = await reachCell(config, { name, url, mayBeAway: true }, log, room.states);
      if (cell === undefined) continue;
      await refuseStrays(home.db, new Map([[name, cell.db]]));
      await supplyCell(home, cell);
      await join(name, cell);
      room.admit(name, cell);
      return room.states.note(name, true);
    } catch (error) {
      log.error({ cell: name, err: error }, "a cell is back and cannot be served");
      if (cell !== undefined) await closeCell(cell);
    }
  }
}

async function followOn(follow: () => Promise<void>, log: Logger, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    await pause(lookEveryMs, undefined, { signal: stopped }).catch(() => undefined);
    if (stopped.aborted) return;
    await follow().catch((error: unknown) => log.warn({ err: error }, "the cells could not be followed"));
  }
}

/**
 * All cells for a program that runs beside the servers: over few connections, and past a pooler. `awayCells` of what it
 * is given names those that are away, where they may be.
 */
export async function withAllCells<T>(
  config: Config,
  work: (db: Database, home: OpenDatabase) => Promise<T>,
  options: { readonly mayBeAway?: boolean } = {},
): Promise<T> {
  const log = createLogger({ level: "silent" });
  const few = { ...config, poolSize: 2 };
  const opened = await openDatabase(config);
  try {
    const home = connectCell(few, { ...opened, appUrl: opened.directUrl, preparedStatements: true }, log);
    try {
      const { close } = await openCells(few, home, log, options);
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
export async function openCellDatabase(
  config: Config,
  name: string,
  url: string,
  log?: Logger,
  waitMs?: number,
): Promise<OpenDatabase> {
  const { databaseOwnerUrl: _owner, databaseDirectUrl: _direct, ...rest } = config;
  const first = firstNumbers(config.cells.keys()).get(name) ?? 0n;
  const database = await openDatabase({ ...rest, databaseUrl: url }, log, waitMs);
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
