/**
 * Folders for PostgreSQL's data that a test throws away. A cluster is a thousand small files and each database clone
 * another thousand: on a disk that takes ten times as long as in memory, even when nothing is flushed. What tests prove
 * about durability they prove by killing processes, which the files of either outlive.
 */
import { accessSync, constants, mkdtempSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const inMemory = "/dev/shm";
const gibibyte = 1024 ** 3;

/** A new folder, in memory where there is plenty of it, else among the machine's temporary files. */
export function makeQuickFolder(prefix: string): string {
  return mkdtempSync(join(hasPlenty() ? inMemory : tmpdir(), prefix));
}

/** Containers often give this file system 64 MiB; a whole run of the tests takes some hundreds. */
function hasPlenty(): boolean {
  try {
    accessSync(inMemory, constants.W_OK);
    const { bavail, bsize } = statfsSync(inMemory);
    return bavail * bsize >= 4 * gibibyte && process.availableMemory() >= 6 * gibibyte;
  } catch {
    return false;
  }
}
