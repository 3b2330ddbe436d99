/**
 * Brings the schema up to date: plain SQL files for tables, indexes and rows, forward only, each in its own
 * transaction, and then the SQL functions that changed (functions.ts). A session-wide advisory lock lets several
 * servers start together: one migrates, the others wait and find nothing left to do.
 *
 * Servers of the version before may be at work meanwhile. A statement that waits for a table's lock makes everybody
 * behind it wait, too, so it waits for a moment only, steps back, and tries again. An index of a large table is built
 * `concurrently`, in a file of its own, which runs without a transaction. A program that is older than the schema does
 * not start: nobody has tried what it would do there.
 */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import pg from "pg";
import packageFile from "../../../package.json" with { type: "json" };
import type { Database } from "./database.ts";
import {
  applyFunctions,
  findChangedFunctions,
  openFunctionList,
  readFunctions,
  type SqlFunctions,
} from "./functions.ts";

const migrationLock = 7_252_311; // any number that nobody else in this database uses
const turnEveryMs = 50;
const fileName = /^(\d{4})-[a-z0-9-]+\.sql$/;

const migrationsFolder = join(import.meta.dirname, "..", "..", "..", "migrations");

interface Migration {
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

/** How long a migration waits for a lock, and how often it tries again. */
export interface Patience {
  readonly lockMs: number;
  readonly tries: number;
  readonly pauseMs: number;
}

const usualPatience: Patience = { lockMs: 2_000, tries: 30, pauseMs: 500 };

export interface Sources {
  readonly migrations?: string;
  /** Where functions are looked for, at any depth. */
  readonly functions?: string;
  readonly release?: string;
  readonly patience?: Patience;
}

/** Applies what is missing or has changed, and returns the names of those files. */
export async function migrate(ownerUrl: string, sources: Sources = {}): Promise<string[]> {
  const { patience = usualPatience, release = packageFile.version } = sources;
  const migrations = await readMigrations(sources.migrations ?? migrationsFolder);
  const functions = await readFunctions(sources.functions);
  const client = new pg.Client({ connectionString: ownerUrl, application_name: "jara-migrate" });
  await client.connect();
  try {
    await takeTurn(client);
    const applied = await readApplied(client);
    refuseOther(applied, migrations);
    await openFunctionList(client);
    const changed = await findChangedFunctions(client, functions, release);
    const missing = migrations.filter((migration) => !isApplied(applied, migration));
    for (const migration of missing) await applyPatiently(client, migrationStep(migration), patience);
    if (changed.length > 0) await applyPatiently(client, functionsStep(changed, release), patience);
    return [...missing, ...changed].map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/**
 * Asks again and again instead of waiting in the database: who waits there holds a snapshot, and a concurrent build of
 * an index waits for all of those.
 */
async function takeTurn(client: pg.Client): Promise<void> {
  for (;;) {
    const asked = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [migrationLock]);
    if (asked.rows[0]?.taken === true) return;
    await new Promise((resolve) => setTimeout(resolve, turnEveryMs));
  }
}

/** The migrations of this program that the database does not have yet, seen with the application's own rights. */
export async function missingMigrations(db: Database, folder = migrationsFolder): Promise<string[]> {
  const names = await listMigrations(folder);
  const applied = await sql<{ name: string }>`select name from schema_migrations`.execute(db);
  const known = new Set(applied.rows.map((row) => row.name));
  return names.filter((name) => !known.has(name));
}

/** The files of this program, in their order. */
export async function listMigrations(folder = migrationsFolder): Promise<string[]> {
  return (await readdir(folder)).filter((name) => fileName.test(name)).sort();
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = await listMigrations(folder);
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), "utf8");
      return { name, text, checksum: createHash("sha256").update(text).digest("hex") };
    }),
  );
}

async function readApplied(client: pg.Client): Promise<Map<string, string>> {
  await client.query(`create table if not exists schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`);
  const result = await client.query<{ name: string; checksum: string }>("select name, checksum from schema_migrations");
  return new Map(result.rows.map((row) => [row.name, row.checksum]));
}

function isApplied(applied: Map<string, string>, migration: Migration): boolean {
  const checksum = applied.get(migration.name);
  if (checksum === undefined) return false;
  if (checksum !== migration.checksum) {
    throw new Error(`Migration ${migration.name} was changed after it was applied. Write a new migration instead.`);
  }
  return true;
}

/** The first file of every release up to 0.2, whose schema grew step by step and is now made at once. */
const firstOfBefore = "0001-roles-and-tenancy.sql";

function refuseOther(applied: Map<string, string>, migrations: readonly Migration[]): void {
  if (applied.has(firstOfBefore)) {
    throw new Error(
      "This database was made by Jara 0.2 or older, which this release does not upgrade. Start it with a new one, " +
        "or go on with the release that made it.",
    );
  }
  const own = new Set(migrations.map(({ name }) => name));
  const unknown = [...applied.keys()].filter((name) => !own.has(name)).sort();
  if (unknown.length === 0) return;
  throw new Error(
    `This program is older than the database, which has ${unknown.at(-1)}. Start the version that brought it there, ` +
      "or restore a backup from before the upgrade.",
  );
}

const lockNotAvailable = "55P03";

/** What is applied as a whole. */
interface Step {
  readonly name: string;
  readonly isOutsideTransactions: boolean;
  run(client: pg.Client): Promise<void>;
}

function migrationStep(migration: Migration): Step {
  const isOutside = buildsIndexes(migration);
  return {
    name: `Migration ${migration.name}`,
    isOutsideTransactions: isOutside,
    async run(client) {
      if (isOutside) await buildIndexes(client, migration);
      else await client.query(migration.text);
      await client.query("insert into schema_migrations (name, checksum) values ($1, $2)", [
        migration.name,
        migration.checksum,
      ]);
    },
  };
}

function functionsStep(changed: readonly SqlFunctions[], release: string): Step {
  const [first] = changed;
  const name =
    changed.length === 1 ? `The function file ${first?.name}` : `A change of ${changed.length} function files`;
  return { name, isOutsideTransactions: false, run: (client) => applyFunctions(client, changed, release) };
}

async function applyPatiently(client: pg.Client, step: Step, patience: Patience): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return step.isOutsideTransactions ? await step.run(client) : await inTransaction(client, step, patience);
    } catch (error) {
      const isBusy = (error as { readonly code?: unknown }).code === lockNotAvailable;
      if (!isBusy || attempt >= patience.tries) {
        const end = step.isOutsideTransactions ? "failed; start again to repeat it" : "failed and was rolled back";
        throw new Error(`${step.name} ${end}.`, { cause: error });
      }
      await new Promise((resolve) => setTimeout(resolve, patience.pauseMs));
    }
  }
}

async function inTransaction(client: pg.Client, step: Step, { lockMs }: Patience): Promise<void> {
  try {
    await client.query("begin");
    await client.query(`set local lock_timeout = ${lockMs}`);
    await step.run(client);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}

const comment = /--[^\n]*/g;

/** Such a file holds nothing but indexes, dropped and built concurrently; `npm run check:migrations` sees to that. */
function buildsIndexes({ text }: Migration): boolean {
  return /\bindex\s+concurrently\b/i.test(text.replace(comment, ""));
}

/** One statement at a time, or the server puts a transaction around them. None stops anybody, so they may wait. */
async function buildIndexes(client: pg.Client, { text }: Migration): Promise<void> {
  const statements = text.replace(comment, "").split(";");
  for (const statement of statements.filter((each) => each.trim() !== "")) await client.query(statement);
}
