/**
 * What a listener remembers between runs: the secret that it signs with, one for each environment, and how far it has
 * come, for each address that it forwards to. Two listeners with two addresses do not take events from each other.
 */
import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Connection } from "../connection.ts";
import { readJson } from "../home.ts";

export interface Listener extends Pick<Connection, "home" | "baseUrl" | "secretKey"> {
  readonly url: string | undefined;
  /** Undefined for all. */
  readonly events: string | undefined;
}

/** After the last event that was taken; null before the first event of all. */
export type Cursor = string | null;

const hash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);

/** By server and key: two sandboxes have two secrets. */
const folderOf = ({ home, baseUrl, secretKey }: Listener): string =>
  join(home, "listen", hash(`${baseUrl} ${secretKey}`));

const fileOf = (listener: Listener, kind: "json" | "pid"): string =>
  join(folderOf(listener), `${hash(`${listener.url ?? ""} ${listener.events ?? ""}`)}.${kind}`);

const afresh = "the next run makes a new one.";

function readOwn<Written>(file: string): Partial<Written> {
  return existsSync(file) ? ((readJson(file, afresh) ?? {}) as Partial<Written>) : {};
}

/** Made once: an application keeps it. */
export async function readSecret(listener: Listener): Promise<string> {
  const file = join(folderOf(listener), "secret.json");
  const { secret } = readOwn<{ secret: string }>(file);
  if (typeof secret === "string") return secret;
  const made = `whsec_${randomBytes(24).toString("base64")}`;
  await writeWhole(listener, file, { secret: made });
  return made;
}

/** Undefined before the first run. */
export function readCursor(listener: Listener): Cursor | undefined {
  return readOwn<{ cursor: Cursor }>(fileOf(listener, "json")).cursor;
}

export async function writeCursor(listener: Listener, cursor: Cursor): Promise<void> {
  await writeWhole(listener, fileOf(listener, "json"), { cursor });
}

/** Returns the process that listens for the same address, if there is one; then each event comes from both. */
export async function register(listener: Listener): Promise<{ readonly other?: number; leave(): Promise<void> }> {
  const file = fileOf(listener, "pid");
  const { pid } = readOwn<{ pid: number }>(file);
  await writeWhole(listener, file, { pid: process.pid });
  const leave = () => rm(file, { force: true });
  return pid !== undefined && pid !== process.pid && isAlive(pid) ? { other: pid, leave } : { leave };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** As a whole or not at all: a kill in the middle leaves what was there. */
async function writeWhole(listener: Listener, file: string, written: object): Promise<void> {
  await mkdir(folderOf(listener), { recursive: true });
  const next = `${file}.${process.pid}`;
  await writeFile(next, JSON.stringify(written), { mode: 0o600 });
  await rename(next, file);
}
