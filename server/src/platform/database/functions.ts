/**
 * SQL functions stand in their rooms, one current text each: `server/src/<room>/<name>.sql`, beside the store that
 * calls them, with their owner, their rights and the triggers and views that belong to them. A start applies every text
 * that changed since, all of them in one transaction, so nobody sees a new function beside an old one that it calls.
 *
 * Servers of the release before go on meanwhile and call by name: a function whose arguments or result change gets
 * another name, and a migration drops the old one a release later. PostgreSQL holds us to it: it refuses another result
 * type, and two functions of one name make `alter function f owner to …` ambiguous.
 */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import type pg from "pg";

const functionsFolder = join(import.meta.dirname, "..", "..");

export interface SqlFunctions {
  /** The file below `server/src`, with slashes on every system. */
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

interface Applied {
  readonly name: string;
  readonly checksum: string;
  readonly release: string;
}

/**
 * The platform's come first, because any room may call them. What a room's inner rooms share stands above them and
 * comes before theirs; of one depth in the order of names.
 */
export async function readFunctions(folder = functionsFolder): Promise<SqlFunctions[]> {
  const found = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith(".sql"));
  const names = found.map((path) => path.split(sep).join("/"));
  const depthOf = (name: string): number => name.split("/").length - (name.startsWith("platform/") ? 100 : 0);
  names.sort((one, other) => depthOf(one) - depthOf(other) || (one < other ? -1 : 1));
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), "utf8");
      return { name, text, checksum: createHash("sha256").update(text).digest("hex") };
    }),
  );
}

export async function openFunctionList(client: pg.Client): Promise<void> {
  await client.query(`create table if not exists schema_functions (
    name text primary key, checksum text not null, release text not null,
    applied_at timestamptz not null default now())`);
}

/** What has to be applied. A program of an older release must not put its texts in place of newer ones. */
export async function findChangedFunctions(
  client: pg.Client,
  functions: readonly SqlFunctions[],
  release: string,
): Promise<SqlFunctions[]> {
  const { rows } = await client.query<Applied>("select name, checksum, release from schema_functions");
  const applied = new Map(rows.map((row) => [row.name, row]));
  const changed = functions.filter(({ name, checksum }) => applied.get(name)?.checksum !== checksum);
  const newer = changed.find(({ name }) => isNewer(applied.get(name)?.release, release));
  if (newer !== undefined) {
    const brought = applied.get(newer.name)?.release;
    throw new Error(
      `This program (${release}) is older than the database, whose ${newer.name} is of ${brought}. ` +
        "Start that version, or restore a backup from before the upgrade.",
    );
  }
  return changed;
}

function isNewer(theirs: string | undefined, ours: string): boolean {
  return theirs !== undefined && theirs.localeCompare(ours, "en", { numeric: true }) > 0;
}

/** One transaction, which the caller opens: a body may call what a later file makes. */
export async function applyFunctions(
  client: pg.Client,
  functions: readonly SqlFunctions[],
  release: string,
): Promise<void> {
  await client.query("set local check_function_bodies = off");
  for (const { name, text, checksum } of functions) {
    await client.query(text).catch((error: unknown) => {
      throw Object.assign(new Error(`server/src/${name} cannot be applied.`, { cause: error }), {
        code: (error as { readonly code?: unknown }).code,
      });
    });
    await client.query(
      `insert into schema_functions (name, checksum, release) values ($1, $2, $3)
       on conflict (name) do update set checksum = $2, release = $3, applied_at = now()`,
      [name, checksum, release],
    );
  }
}
