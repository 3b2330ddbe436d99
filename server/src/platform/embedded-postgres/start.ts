/**
 * A real PostgreSQL for a laptop: the programs come with an npm package, the data lies in one folder.
 *
 * Several servers may use one folder at the same time. The first one starts PostgreSQL, the others join it, and the
 * last one to leave stops it. A server that was killed leaves PostgreSQL running; the next one on the folder takes
 * it over, with everything that was committed. Which processes live is known from locks that the kernel drops with
 * their holder: `users.lock` is shared by every living server, `start.lock` lets one at a time start or stop.
 */
import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { serverPassword } from "../database/server-login.ts";
import { findLodging, type Lodging, placeElsewhere } from "./account.ts";
import { findBinaries } from "./binaries.ts";
import { createClusterIfMissing, prepareRolesAndDatabase, readPassword } from "./cluster.ts";
import { type FileLock, lockExclusively, tryLockExclusively, tryLockShared } from "./file-lock.ts";
import { findPostmaster, interruptPostmaster, type Postmaster, startPostmaster, stopPostmaster } from "./postmaster.ts";

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
      const serving = (await findServing(home)) ?? (await startServing(home, options.settings ?? {}));
      return await describe(home, serving, membership);
    } catch (error) {
      await leave(home, membership);
      throw error;
    }
  } finally {
    turn.release();
  }
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

async function startServing(home: string, settings: Readonly<Record<string, string>>): Promise<Serving> {
  const lodging: Lodging = findLodging(home, findBinaries());
  createClusterIfMissing(lodging);
  return { postmaster: await startPostmaster(lodging, settings), folder: lodging.folder };
}

async function describe(home: string, serving: Serving, membership: FileLock): Promise<EmbeddedPostgres> {
  const password = readPassword(serving.folder);
  const { port } = serving.postmaster;
  await prepareRolesAndDatabase(`postgres://jara_owner:${password}@127.0.0.1:${port}/postgres`, password);
  let stopped: Promise<void> | undefined;
  return {
    ownerUrl: `postgres://jara_owner:${password}@127.0.0.1:${port}/jara`,
    appUrl: `postgres://jara_server:${serverPassword(password)}@127.0.0.1:${port}/jara`,
    folder: serving.folder,
    stop: () => {
      stopped ??= stopInTurn(home, membership);
      return stopped;
    },
    stopAtOnce: () => stopAtOnce(home, serving, membership),
  };
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
