/** Copies a data folder that PostgreSQL may be writing to, down to the disk. */
import { constants } from "node:fs";
import { copyFile, mkdir, open, opendir } from "node:fs/promises";
import { join } from "node:path";

/** Told of each entry's path below the root; false leaves it out, with everything below. */
export type Wanted = (path: string, isFolder: boolean) => boolean;

/** Returns how many bytes were copied. */
export async function copyTree(from: string, to: string, wanted: Wanted = () => true, below = ""): Promise<number> {
  let bytes = 0;
  await mkdir(join(to, below), { recursive: true, mode: 0o700 });
  for await (const entry of await opendir(join(from, below))) {
    const path = join(below, entry.name);
    if (entry.isDirectory()) {
      if (wanted(path, true)) bytes += await copyTree(from, to, wanted, path);
    } else if (entry.isFile()) {
      if (wanted(path, false)) bytes += await copyToDisk(join(from, path), join(to, path));
    } else {
      throw new Error(`${join(from, path)} is neither a file nor a folder: tables in other places cannot be copied.`);
    }
  }
  await syncToDisk(join(to, below));
  return bytes;
}

/** A file that PostgreSQL deleted meanwhile is not needed: the log says so. */
async function copyToDisk(from: string, to: string): Promise<number> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return 0;
    throw error;
  }
  return syncToDisk(to);
}

export async function syncToDisk(path: string): Promise<number> {
  const file = await open(path, "r");
  try {
    await file.sync();
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
}
