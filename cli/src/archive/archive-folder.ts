/** A folder of archived events, read without a server: what is in it, and what is not as it was written. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

/** What the server wrote beside each file. */
export interface Manifest {
  readonly version: number;
  readonly environment: string;
  readonly environmentKind: string;
  readonly month: string;
  readonly rows: number;
  readonly firstPosition: number;
  readonly lastPosition: number;
  readonly firstAt: string;
  readonly lastAt: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly writtenAt: string;
}

export interface ArchiveFile extends Manifest {
  readonly path: string;
}

export interface Archive {
  /** In the order of the log, environment by environment. */
  readonly files: readonly ArchiveFile[];
  /** Sentences about what is missing or cannot be read, each with the next step. */
  readonly faults: readonly string[];
}

const knownVersion = 1;
const bringBack = "Bring it back from a backup of the archive folder.";

export function readArchive(folder: string, environment?: string): Archive {
  const files: ArchiveFile[] = [];
  const faults: string[] = [];
  for (const name of namesIn(folder, environment)) {
    const read = readManifest(name);
    if (typeof read === "string") faults.push(read);
    else files.push(read);
  }
  files.sort((one, other) => compare(one.environment, other.environment) || one.firstPosition - other.firstPosition);
  return { files, faults: [...faults, ...missingBetween(files)] };
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** Every file that is whole by its name; what a killed run left unfinished has another ending. */
function namesIn(folder: string, environment: string | undefined): string[] {
  return foldersIn(folder)
    .filter((name) => environment === undefined || name === environment)
    .flatMap((name) => foldersIn(join(folder, name)).map((month) => join(folder, name, month)))
    .flatMap((place) => [...new Set(readdirSync(place).flatMap(stemOf))].map((stem) => join(place, stem)));
}

const foldersIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

const stemOf = (name: string): string[] => /^(events-.+?)\.(?:ndjson\.gz|json)$/.exec(name)?.slice(1) ?? [];

function readManifest(stem: string): ArchiveFile | string {
  const [path, beside] = [`${stem}.ndjson.gz`, `${stem}.json`];
  if (!existsSync(beside)) return `${beside} is missing. ${bringBack} If there never was one, its events are online.`;
  if (!existsSync(path)) return `${path} is missing. ${bringBack}`;
  const manifest = parse(readFileSync(beside, "utf8"));
  if (typeof manifest !== "object" || manifest === null) return `${beside} is damaged: it is not JSON. ${bringBack}`;
  const { version } = manifest as Manifest;
  if (version !== knownVersion) return `${path} is of version ${version}. Read it with a newer jara.`;
  return { ...(manifest as Manifest), path };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The files of an environment follow each other from its first event on. */
function missingBetween(files: readonly ArchiveFile[]): string[] {
  const reached = new Map<string, number>();
  return files.flatMap(({ environment, firstPosition, lastPosition }) => {
    const next = (reached.get(environment) ?? 0) + 1;
    reached.set(environment, Math.max(next - 1, lastPosition));
    if (firstPosition <= next) return [];
    return [`Events ${next} to ${firstPosition - 1} of ${environment} are missing. ${bringBack}`];
  });
}

/** Its lines, or a sentence about what is wrong. */
export function readLines({ path, sha256, rows }: ArchiveFile): readonly string[] | string {
  const packed = readFileSync(path);
  if (createHash("sha256").update(packed).digest("hex") !== sha256) {
    return `${path} is damaged: it is not what was written. ${bringBack}`;
  }
  const lines = gunzipSync(packed).toString("utf8").split("\n").slice(0, -1);
  return lines.length === rows ? lines : `${path} is damaged: it has ${lines.length} of ${rows} events. ${bringBack}`;
}

/** A first look, which reads no file. */
export function hasItsSize({ path, bytes }: ArchiveFile): boolean {
  return statSync(path).size === bytes;
}
