/** Holds the folder of archives against what the database says of each file: `npm run verify` names what differs. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { type Database, readEnvironment } from "../platform/database/database.ts";
import { isArchiveName } from "./archive.ts";
import { manifestOf } from "./archive-file.ts";
import { type FiledArchive, readArchives } from "./archive-store.ts";

export interface FolderFindings {
  /** Files that the database counts on. */
  readonly files: number;
  /** Sentences about what is lost or is not what was written. */
  readonly faults: readonly string[];
  /** Sentences about files that no row counts: nothing is lost by them. */
  readonly remarks: readonly string[];
}

export async function compareFolder(
  db: Database,
  folder: string,
  environments: AsyncIterable<{ readonly id: string }>,
): Promise<FolderFindings> {
  // First the folder: a file that is being written meanwhile has its row when rows are read, or is not in the list.
  const present = await listFiles(folder);
  if (typeof present === "string") return { files: 0, faults: [present], remarks: [] };
  const extra = new Set(present);
  const faults: string[] = [];
  let files = 0;
  for await (const { id } of environments) {
    for (const archive of await readEnvironment(db, id, readArchives)) {
      files += 1;
      extra.delete(archive.file);
      faults.push(...(await faultsOf(folder, archive)));
    }
  }
  const remarks = [...extra].map((file) => `archive: ${file} is extra: ${nobodyCounts}`);
  return { files, faults, remarks };
}

const nobodyCounts =
  "no environment counts it. A run that was killed left it, or it is from after the moment that was restored.";

/** Those that have a name of ours; a sentence when the folder cannot be read. */
async function listFiles(folder: string): Promise<string[] | string> {
  try {
    const found = await readdir(folder, { recursive: true });
    return found.map((name) => name.replaceAll(sep, "/")).filter((name) => isArchiveName(name.split("/").at(-1) ?? ""));
  } catch (error) {
    return `archive: the folder ${folder} cannot be read: ${wordsOf(error)}. No file was compared.`;
  }
}

async function faultsOf(folder: string, { file, bytes, sha256 }: FiledArchive): Promise<string[]> {
  const path = join(folder, file);
  try {
    const { size } = await stat(path);
    if (size !== bytes) return [`archive: ${file} is damaged: expected ${bytes} bytes, found ${size}. ${cure}`];
    const found = await hashOf(path);
    if (found !== sha256) return [`archive: ${file} is damaged: expected sha256 ${sha256}, found ${found}. ${cure}`];
  } catch (error) {
    if (!isMissing(error)) return [`archive: ${file} cannot be read: ${wordsOf(error)}.`];
    return [`archive: ${file} is missing. ${cure}`];
  }
  const hasManifest = await stat(manifestOf(path)).then(
    () => true,
    () => false,
  );
  return hasManifest ? [] : [`archive: ${manifestOf(file)} is missing. ${cure}`];
}

const cure = "Bring it back from a backup of the archive folder.";

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest("hex");
}

const isMissing = (error: unknown): boolean => (error as { readonly code?: unknown }).code === "ENOENT";

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
