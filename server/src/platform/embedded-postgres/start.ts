/**
 * A real PostgreSQL for a laptop: the programs come with an npm package, the data lies in one folder.
 *
 * Several servers may use one folder at the same time. The first one starts PostgreSQL, the others join it, and the
 * last one to leave stops it. A server that was killed leaves PostgreSQL running; the next one on the folder takes
 * it over, with everything that was committed. Which processes live is known from locks that the kernel drops with
 * their holder: `users.lock` is shared by every living server, `start.lock` lets one at a time start or stop. While a
 * server lives, PostgreSQL should: if it is killed, it is started again at the same port, where connections find it.
 */
import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { serverPassword } from "../database/server-login.ts";
import { findLodging, type Lodging, placeElsewhere } from "./account.ts";
import { handOverHistories, openArchive } from "./archive.ts";
import { findBinaries } from "./binaries.ts";
import { createClusterIfMissing, prepareRolesAndDatabase, readPassword } from "./cluster.ts";
import {
  findPostmaster,
  interruptPostmaster,
  isAlive,
  type Postmaster,
  startPostmaster,
  stopPostmaster,
} from "./postmaster.ts";
import { waitUntil } from "./wait.ts";

export interface EmbeddedPostgres {
  /** The owner of the schema; it runs migrations. */
  readonly ownerUrl: string;
  /** What the server works as: row level security binds it. */
  readonly appUrl: string;
  /** Where the data really lies: not always the folder asked for when root runs the server. */
  readonly folder: string;
  /** Leaves PostgreSQL; the last process to leave also stops it. Safe to call twice. */
  stop(): Promise<void>;
  /** For a process that must end now: tells PostgreSQL to stop, unless others use it, and does not wait. */
  stopAtOnce(): void;
}

export interface EmbeddedOptions {
  readonly folder: string;
  /** Extra server settings, such as fsync for throw-away test clusters. A running PostgreSQL keeps those it has. */
  readonly settings?: Readonly<Record<string, string>>;
  /** A folder of backups, to which the log of changes is copied. */
  readonly archiveTo?: string | undefined;
  /** How long it may take to become ready: a restored one replays its log first. */
  readonly startTimeoutMs?: number;
  /** Told when PostgreSQL was gone, and whether it is back. */
  onRevival?(revival: Revival): void;
}

interface Serving {
  readonly postmaster: Postmaster;
  readonly folder: string;
}

// Longer than a crash recovery may take in the process that we wait for.
const turnTimeoutMs = 150_000;

export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  mkdirSync(options.folder, { recursive: true });
  const home = realpathSync(options.folder);
  const turn = await lockExclusively(join(home, "start.lock"), turnTimeoutMs);
  try {
    const membership = joinUsers(home);
    try {
      const serving = (await findServing(home)) ?? (await startServing(home, options));
      return await describe(home, serving, membership, options);
    } catch (error) {
      await leave(home, membership);
      throw error;
    }
  } finally {
    turn.release();
  }
}

/** Where the data of this folder lies or would lie, and whether it is there. */
export function findData(folder: string): { readonly place: string; readonly exists: boolean } {
  mkdirSync(folder, { recursive: true });
  const { folder: place } = findLodging(realpathSync(folder), findBinaries());
  return { place, exists: existsSync(join(place, "data")) };
}

function joinUsers(home: string): FileLock {
  const membership = tryLockShared(join(home, "users.lock"));
  // Only the holder of start.lock ever takes it exclusively, and that is us.
  if (membership === undefined) throw new Error(`${join(home, "users.lock")} is locked by a foreign program.`);
  return membership;
}

async function findServing(home: string): Promise<Serving | undefined> {
  for (const folder of [home, placeElsewhere(home)]) {
    const postmaster = await findPostmaster(join(folder, "data"));
    if (postmaster !== undefined) return { postmaster, folder };
  }
  return undefined;
}

async function startServing(home: string, options: EmbeddedOptions): Promise<Serving> {
  const lodging: Lodging = findLodging(home, findBinaries());
  createClusterIfMissing(lodging);
  const archive = options.archiveTo === undefined ? {} : openArchive(options.archiveTo, lodging);
  if (options.archiveTo !== undefined) handOverHistories(join(lodging.folder, "data"));
  const postmaster = await startPostmaster(lodging, { ...archive, ...options.settings }, options.startTimeoutMs);
  return { postmaster, folder: lodging.folder };
}

async function describe(
  home: string,
  first: Serving,
  membership: FileLock,
  options: EmbeddedOptions,
): Promise<EmbeddedPostgres> {
  const password = readPassword(first.folder);
  const { port } = first.postmaster;
  await prepareRolesAndDatabase(`postgres://jara_owner:${password}@127.0.0.1:${port}/postgres`, password);
  let serving = first;
  let stopped: Promise<void> | undefined;
  const leaving = new AbortController();
  const { onRevival = () => undefined } = options;
  const atTheSamePort = { ...options, settings: { ...options.settings, port: String(port) } };
  const revive = async (): Promise<void> => {
    const found = await reviveInTurn(home, atTheSamePort, leaving.signal);
    if (found !== undefined) serving = found;
  };
  void keepServing({ isThere: () => isAlive(serving.postmaster.pid), revive, onRevival }, leaving.signal);
  return {
    ownerUrl: `postgres://jara_owner:${password}@127.0.0.1:${port}/jara`,
    appUrl: `postgres://jara_server:${serverPassword(password)}@127.0.0.1:${port}/jara`,
    folder: first.folder,
    stop: () => {
      leaving.abort();
      stopped ??= stopInTurn(home, membership);
      return stopped;
    },
    stopAtOnce: () => {
      leaving.abort();
      stopAtOnce(home, serving, membership);
    },
  };
}

/** Undefined when we are leaving by the time that it is our turn. */
async function reviveInTurn(
  home: string,
  options: EmbeddedOptions,
  leaving: AbortSignal,
): Promise<Serving | undefined> {
  const turn = await lockExclusively(join(home, "start.lock"), turnTimeoutMs);
  try {
    if (leaving.aborted) return undefined;
    return (await findServing(home)) ?? (await startServing(home, options));
  } finally {
    turn.release();
  }
}

async function stopInTurn(home: string, membership: FileLock): Promise<void> {
  const turn = await lockExclusively(join(home, "start.lock"), turnTimeoutMs);
  try {
    await leave(home, membership);
  } finally {
    turn.release();
  }
}

/** Only in one's turn: nobody may join between the look for others and the stop. */
async function leave(home: string, membership: FileLock): Promise<void> {
  membership.release();
  const alone = tryLockExclusively(join(home, "users.lock"));
  if (alone === undefined) return;
  try {
    const serving = await findServing(home);
    if (serving !== undefined) await stopPostmaster(join(serving.folder, "data"), serving.postmaster.pid);
  } finally {
    alone.release();
  }
}

function stopAtOnce(home: string, serving: Serving, membership: FileLock): void {
  membership.release();
  // When somebody starts or stops at this moment, PostgreSQL is theirs to stop.
  const alone = tryLockExclusively(join(home, "users.lock"));
  if (alone === undefined) return;
  interruptPostmaster(join(serving.folder, "data"), serving.postmaster.pid);
  alone.release();
}

/**
 * Looks whether PostgreSQL is still there, and has it started again when it is not: it was killed, or the machine ran
 * out of memory. Every living server on the folder looks; the first one to have its turn starts it, the others find it.
 */
const lookEveryMs = 200;
/** After a start that failed, a disk may have room again, or a port may be free. */
const restMs = 1_000;

interface Keeping {
  isThere(): boolean;
  /** Brings it back. Safe to repeat. */
  revive(): Promise<void>;
  onRevival(revival: Revival): void;
}

/** What was found: it is back after so long, or could not be started. */
export type Revival = { readonly backAfterMs: number } | { readonly error: unknown };

/** Until `stopped`. */
export async function keepServing({ isThere, revive, onRevival }: Keeping, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    const missedAt = performance.now();
    let restingMs = lookEveryMs;
    if (!isThere()) {
      try {
        await revive();
        if (!stopped.aborted) onRevival({ backAfterMs: Math.round(performance.now() - missedAt) });
      } catch (error) {
        onRevival({ error });
        restingMs = restMs;
      }
    }
    await pause(restingMs, undefined, { signal: stopped, ref: false }).catch(() => undefined);
  }
}

/**
 * Locks between processes that the kernel drops when their holder dies, kill -9 included, so no lock is ever stale.
 * Node offers no flock, but it has SQLite, which takes exactly such locks on its file; the file stays empty.
 */
interface FileLock {
  release(): void;
}

const sqliteBusy = 5;

/** Waits for its turn and then keeps everybody else out. */
export async function lockExclusively(file: string, timeoutMs: number): Promise<FileLock> {
  let held: FileLock | undefined;
  const taken = await waitUntil(() => {
    held = tryLockExclusively(file);
    return held !== undefined;
  }, timeoutMs);
  if (!taken || held === undefined)
    throw new Error(`Another process has held ${file} for ${timeoutMs / 1000} seconds.`);
  return held;
}

/** Undefined when anybody holds the file, shared or exclusively. */
export function tryLockExclusively(file: string): FileLock | undefined {
  return tryStatements(file, (connection) => connection.exec("begin exclusive"));
}

/** Any number of processes can hold a file together. */
export function tryLockShared(file: string): FileLock | undefined {
  return tryStatements(file, (connection) => {
    // SQLite takes the shared lock with the first read and keeps it until the transaction ends.
    connection.exec("begin");
    connection.prepare("select count(*) from sqlite_schema").get();
  });
}

function tryStatements(file: string, lock: (connection: DatabaseSync) => void): FileLock | undefined {
  const connection = new DatabaseSync(file, { timeout: 0 });
  try {
    lock(connection);
    return { release: () => connection.isOpen && connection.close() };
  } catch (error) {
    connection.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === sqliteBusy;
}
