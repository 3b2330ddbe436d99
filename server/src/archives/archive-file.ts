/** Files of archives: written whole or not at all, and never changed afterwards. */
import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { fileName, type Manifest, overlaps } from "./archive.ts";

/** Only the server's own account may read what merchants did. */
const folderMode = 0o700;
const fileMode = 0o600;
const unfinished = ".part";
const unfinishedKeptMs = 24 * 60 * 60 * 1_000;

export interface Shelf {
  /** Returns the manifest of a file that is on disk under its name. */
  put(lines: readonly string[], about: Omit<Manifest, "bytes" | "sha256">): Promise<Manifest>;
  /** The lines of a file as they are on disk now. Throws when it is not the file of its manifest. */
  read(manifest: Manifest): Promise<string[]>;
  /** Puts aside what has events of this file and is none of `kept`: a run that was killed, or that lost a race, left it. */
  putAside(manifest: Manifest, kept: readonly string[]): Promise<void>;
}

export const fileOf = (manifest: Manifest): string => `${monthFolder(manifest)}/${fileName(manifest)}`;

const monthFolder = ({ environment, month }: Pick<Manifest, "environment" | "month">) => `${environment}/${month}`;

export function openShelf(folder: string): Shelf {
  return {
    async put(lines, about) {
      const place = join(folder, monthFolder(about));
      await mkdir(place, { recursive: true, mode: folderMode });
      await clearUnfinished(place, Date.parse(about.writtenAt));
      const packed = await promisify(gzip)(lines.map((line) => `${line}\n`).join(""));
      const manifest = { ...about, bytes: packed.length, sha256: hashOf(packed) };
      const file = join(folder, fileOf(manifest));
      // The manifest comes second: where it is, its file is whole.
      await putFile(file, packed);
      await putFile(manifestOf(file), Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
      for (const parent of [place, join(folder, about.environment), folder]) await syncFolder(parent);
      return manifest;
    },
    async read(manifest) {
      const file = join(folder, fileOf(manifest));
      const packed = await readFile(file);
      if (hashOf(packed) !== manifest.sha256) throw new Error(`${file} is not what was written`);
      return (await promisify(gunzip)(packed)).toString("utf8").split("\n").slice(0, -1);
    },
    async putAside(manifest, kept) {
      const month = monthFolder(manifest);
      const names = new Set(kept);
      const [first, last] = [BigInt(manifest.firstPosition), BigInt(manifest.lastPosition)];
      for (const name of await readdir(join(folder, month))) {
        if (names.has(`${month}/${name}`) || !overlaps(name, first, last)) continue;
        const file = join(folder, month, name);
        // First the manifest: a file without one counts for no reader.
        await rename(manifestOf(file), `${manifestOf(file)}.replaced`).catch(ignoreMissing);
        await rename(file, `${file}.replaced`);
      }
    },
  };
}

/** The path of what stands beside a file. */
export const manifestOf = (file: string): string => file.replace(/\.ndjson\.gz$/, ".json");

const hashOf = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

/** On disk before it has its name. */
async function putFile(file: string, bytes: Buffer): Promise<void> {
  const draft = `${file}.${randomUUID()}${unfinished}`;
  const handle = await open(draft, "wx", fileMode);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
}

/** The name itself is on disk after this. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function clearUnfinished(place: string, now: number): Promise<void> {
  for (const name of await readdir(place)) {
    if (!name.endsWith(unfinished)) continue;
    const file = join(place, name);
    const written = await stat(file).catch(ignoreMissing);
    if (written !== undefined && now - written.mtimeMs > unfinishedKeptMs) await unlink(file).catch(ignoreMissing);
  }
}

function ignoreMissing(error: unknown): undefined {
  if ((error as { readonly code?: unknown }).code !== "ENOENT") throw error;
}
