/** Decides which PostgreSQL serves, and brings its schema up to date. */
import { join } from "node:path";
import pg from "pg";
import { createDatabase, createPool, type Database } from "../platform/database/database.ts";
import { isPooled } from "../platform/database/find-pooler.ts";
import { migrate } from "../platform/database/migrations.ts";
import { isConnectionLost, isLoginRefused } from "../platform/database/retry-transient.ts";
import { openServerLogin } from "../platform/database/server-login.ts";
import { startEmbeddedPostgres } from "../platform/embedded-postgres/start.ts";
import type { Logger } from "../platform/logger.ts";
import { openHome } from "../platform/secrets/home.ts";
import type { Config } from "./config.ts";

export interface OpenDatabase {
  readonly ownerUrl: string;
  readonly appUrl: string;
  /** An address that is not a pooler's, for LISTEN and session locks. */
  readonly directUrl: string;
  /** Whether connections to `appUrl` may remember statements by name. */
  readonly preparedStatements: boolean;
  /**
   * Set when the owner's login has to do everything, because no login could be made for the server: its connections
   * then step down to this role.
   */
  readonly role?: string;
  /** For the person at the terminal. */
  readonly place: string;
  close(): Promise<void>;
  /** For a process that must not wait any longer. */
  abandon(): void;
}

const reachTimeoutMs = 10_000;
const applicationRole = "jara_app";

export async function openDatabase(config: Config, log?: Logger): Promise<OpenDatabase> {
  const { databaseUrl } = config;
  const database = databaseUrl === undefined ? await openEmbedded(config, log) : openOwn(config, databaseUrl);
  try {
    await reach(database.ownerUrl);
    await migrate(database.ownerUrl);
    const opened = database.appUrl === database.ownerUrl ? await leaveOwner(database) : database;
    return databaseUrl === undefined ? opened : await besidePooler(opened, config);
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The database for a program that runs beside the servers: over few connections, and past a pooler. */
export async function withDatabase<T>(
  config: Config,
  work: (db: Database, opened: OpenDatabase) => Promise<T>,
): Promise<T> {
  const opened = await openDatabase(config);
  try {
    const { directUrl: url, role } = opened;
    const db = createDatabase(createPool({ url, poolSize: 2, ...(role === undefined ? {} : { role }) }));
    return await work(db, opened).finally(() => db.destroy());
  } finally {
    await opened.close();
  }
}

/** One address serves for all: the server works under a login of its own where it can have one. */
async function leaveOwner(database: OpenDatabase): Promise<OpenDatabase> {
  const appUrl = await openServerLogin(database.ownerUrl, applicationRole);
  if (appUrl === undefined) {
    await allowStepDown(database.ownerUrl, applicationRole);
    return { ...database, role: applicationRole };
  }
  return { ...database, appUrl, directUrl: withLoginOf(appUrl, database.directUrl) };
}

const needsDirect = [
  "DATABASE_URL leads to a pooler, through which LISTEN and session locks do not work. Set DATABASE_DIRECT_URL to the",
  "same login at PostgreSQL itself. If the pooler keeps a session for each connection, set it to DATABASE_URL.",
].join(" ");

/** What a pooler cannot carry goes beside it: to the address that was given for that, or to the owner's. */
async function besidePooler(database: OpenDatabase, config: Config): Promise<OpenDatabase> {
  if (!(await isPooled(database.appUrl))) return database;
  const pooled = { ...database, preparedStatements: config.preparedStatements ?? false };
  if (config.databaseDirectUrl !== undefined) return pooled;
  if (await isPooled(database.ownerUrl)) throw new Error(needsDirect);
  return { ...pooled, directUrl: withLoginOf(database.appUrl, database.ownerUrl) };
}

export function withLoginOf(login: string, place: string): string {
  const url = new URL(place);
  ({ username: url.username, password: url.password } = new URL(login));
  return url.toString();
}

/** Where the embedded PostgreSQL lives. */
export const embeddedFolder = ({ home }: Pick<Config, "home">): string => join(home, "postgres");

async function openEmbedded(config: Config, log: Logger | undefined): Promise<OpenDatabase> {
  openHome(config.home);
  const server = await startEmbeddedPostgres({
    folder: embeddedFolder(config),
    archiveTo: config.backupFolder,
    onRevival: (revival) => {
      if ("error" in revival)
        log?.error({ err: revival.error }, "PostgreSQL is gone and could not be started again yet");
      else log?.warn(revival, "PostgreSQL was gone and was started again");
    },
  });
  const { ownerUrl, appUrl, folder } = server;
  return {
    ownerUrl,
    appUrl,
    directUrl: appUrl,
    preparedStatements: config.preparedStatements ?? true,
    place: folder,
    close: server.stop,
    abandon: server.stopAtOnce,
  };
}

function openOwn(config: Config, url: string): OpenDatabase {
  return {
    ownerUrl: config.databaseOwnerUrl ?? url,
    appUrl: url,
    directUrl: config.databaseDirectUrl ?? url,
    preparedStatements: config.preparedStatements ?? true,
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
      if (isConnectionLost(cause) && !isLoginRefused(cause) && performance.now() < deadline) {
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
export function describe(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname}${port === "" ? "" : `:${port}`}${pathname}`;
}
