/**
 * The folder that a server keeps beside its database ($JARA_HOME): secrets that were generated because nobody set
 * them, and dev.json, from which tools on the same machine learn where the server is and how to get in. Every file is
 * for its owner's eyes only; the folder itself can be entered, because PostgreSQL may run as another user below it.
 */
import { randomBytes } from "node:crypto";
import {
  accessSync,
  constants,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

export interface DevFile {
  readonly baseUrl: string;
  /** Opens the demo merchant's sandbox. */
  readonly secretKey?: string;
  readonly operatorToken: string;
  readonly docsUrl: string;
  /** Where the demo merchant sells. */
  readonly shopUrl?: string;
  /** Signs the demo merchant's owner in at the console, once. */
  readonly signInLink?: string;
  /** The demo merchant's owner, for whom `jara console` creates a new link. */
  readonly ownerEmail?: string;
}

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Where the server's log goes when a person watches. */
export const logFile = (home: string): string => join(home, "server.log");

export function openHome(folder: string): void {
  try {
    makeFolder(folder);
  } catch (cause) {
    throw new Error(`The folder ${folder} (JARA_HOME) cannot be made: ${reasonOf(cause)}`, { cause });
  }
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    // Rights say nothing about room. Without any, whatever comes next would fail in words of its own.
    rmSync(writeDraft(join(folder, "room"), "\n".repeat(leastRoomBytes)));
  } catch (cause) {
    throw new Error(`The folder ${folder} (JARA_HOME) cannot be written to: ${reasonOf(cause)}`, { cause });
  }
}

const leastRoomBytes = 65_536;

const reasons: Readonly<Record<string, string>> = {
  EEXIST: "a file of that name is in its place. Move the file, or name a folder",
  ENOTDIR: "a part of its path is a file. Name another folder",
  EACCES: "this user may not do that. Change its rights, or name another folder",
  EPERM: "this user may not do that. Change its rights, or name another folder",
  EROFS: "its file system is read-only. Name another folder",
  ENOSPC: "the disk is full. Make room, or name a folder on another disk",
  EDQUOT: "the disk quota is used up. Make room, or name a folder on another disk",
};

/** Why the system refused, and what to do. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const reason = reasons[code];
  return reason === undefined ? messageOf(error) : `${reason} (${code}).`;
}

/** Step by step: asked to make all of a path at once, Node tries for ever where nothing can be made, as under /proc. */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another server may have made it meanwhile; a file in its place stays in the way.
    if (!hasCode(error, "EEXIST") || !statSync(folder).isDirectory()) throw error;
  }
}

/** The secret kept under this name, or undefined when none was made yet. */
export function readSecret(home: string, name: string): string | undefined {
  return readIfPresent(join(home, name))?.trim();
}

/** The secret kept under this name; the first caller makes it, and of two at once both get the same. */
export function keepSecret(home: string, name: string, generate: () => string): string {
  const kept = readSecret(home, name);
  if (kept !== undefined) return kept;
  const file = join(home, name);
  const draft = writeDraft(file, generate());
  try {
    // Unlike a rename, a link does not replace what another server has put there meanwhile.
    linkSync(draft, file);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    rmSync(draft);
  }
  return readFileSync(file, "utf8").trim();
}

export function generateOperatorToken(): string {
  // 248 is the largest multiple of 62 below 256: bytes from there on would favour the first letters.
  const letters = [...randomBytes(120)].filter((byte) => byte < 248).map((byte) => base62.charAt(byte % 62));
  return `op_${letters.slice(0, 40).join("")}`;
}

/** Readers see the old file or the new one, never half of either. */
export function writeDevFile(home: string, content: DevFile): void {
  const file = join(home, "dev.json");
  renameSync(writeDraft(file, `${JSON.stringify(content, null, 2)}\n`), file);
}

/** The demo key of an earlier start: the database holds only its hash, so this is the one place that knows it. */
export function readSecretKey(home: string): string | undefined {
  const text = readIfPresent(join(home, "dev.json"));
  if (text === undefined) return undefined;
  try {
    const content: unknown = JSON.parse(text);
    if (typeof content !== "object" || content === null || !("secretKey" in content)) return undefined;
    return typeof content.secretKey === "string" ? content.secretKey : undefined;
  } catch {
    // Somebody edited it. A new key is issued and the file written again.
    return undefined;
  }
}

function writeDraft(file: string, text: string): string {
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  writeFileSync(draft, text, { mode: 0o600, flag: "wx" });
  return draft;
}

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw new Error(`${file} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
