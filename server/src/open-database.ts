/** Decides which PostgreSQL serves, and brings its schema up to date. */
import { join } from "node:path";
import pg from "pg";
import type { Config } from "./config.ts";
import { startEmbeddedPostgres } from "./platform/embedded-postgres.ts";
import { migrate } from "./platform/migrations.ts";
import { isConnectionLost } from "./platform/retry-transient.ts";

export interface OpenDatabase {
  readonly ownerUrl: string;
  readonly appUrl: string;
  /** An address that is no pooler's, for LISTEN and session locks. */
  readonly directUrl: string;
  /** Set when one login does everything: its connections then step down to this role. */
  readonly role?: string;
  /** For the person at the terminal. */
  readonly place: string;
  close(): Promise<void>;
  /** For a process that must not wait any longer. */
  abandon(): void;
}

const reachTimeoutMs = 10_000;

export async function openDatabase(config: Config): Promise<OpenDatabase> {
  const database = config.databaseUrl === undefined ? await openEmbedded(config) : openOwn(config, config.databaseUrl);
  try {
    await reach(database.ownerUrl);
    await migrate(database.ownerUrl);
    if (database.role !== undefined) await allowStepDown(database.ownerUrl, database.role);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

async function openEmbedded(config: Config): Promise<OpenDatabase> {
  const server = await startEmbeddedPostgres({ folder: join(config.home, "postgres") });
  const { ownerUrl, appUrl, folder } = server;
  return { ownerUrl, appUrl, directUrl: appUrl, place: folder, close: server.stop, abandon: server.stopAtOnce };
}

function openOwn(config: Config, url: string): OpenDatabase {
  return {
    ownerUrl: config.databaseOwnerUrl ?? url,
    appUrl: url,
    directUrl: config.databaseDirectUrl ?? url,
    ...(config.databaseOwnerUrl === undefined ? { role: "jara_app" } : {}),
    place: describe(url),
    close: async () => undefined,
    abandon: () => undefined,
  };
}

/** A database that was started together with us, by compose or at boot, may need a moment. */
async function reach(url: string): Promise<void> {
  const deadline = performance.now() + reachTimeoutMs;
  for (;;) {
    try {
      return await tryOnce(url);
    } catch (cause) {
      if (isConnectionLost(cause) && performance.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, 250));
        continue;
      }
      const reason = cause instanceof Error ? cause.message || String(cause) : String(cause);
      throw new Error(`The database at ${describe(url)} cannot be used: ${reason}`, { cause });
    }
  }
}

async function tryOnce(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // Without a listener a connection that breaks after the answer would end the process.
  client.on("error", () => undefined);
  try {
    await client.connect();
  } finally {
    await client.end();
  }
}

/** From PostgreSQL 16 on, a login that made a role may hand it out but not take it on, until it grants it to itself. */
async function allowStepDown(url: string, role: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const login = await client.query<{ superuser: boolean }>(
      "select rolsuper as superuser from pg_roles where rolname = current_user",
    );
    if (login.rows[0]?.superuser !== true) await client.query(`grant ${role} to current_user`);
  } finally {
    await client.end();
  }
}

/** Names the database without its password. */
function describe(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname}${port === "" ? "" : `:${port}`}${pathname}`;
}
