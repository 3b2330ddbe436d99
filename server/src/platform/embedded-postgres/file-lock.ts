/**
 * Locks between processes that the kernel drops when their holder dies, kill -9 included, so no lock is ever stale.
 * Node offers no flock, but it has SQLite, which takes exactly such locks on its file; the file stays empty.
 */
import { DatabaseSync } from "node:sqlite";
import { waitUntil } from "./wait.ts";

export interface FileLock {
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
