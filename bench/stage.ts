/**
 * Where a benchmark plays: a PostgreSQL of its own with every durability setting on, a server process, and a sandbox
 * with money. Refuses a database that would not survive a power cut, because its figures would mean nothing.
 */
import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { createDatabase, createPool, type Database } from "../server/src/platform/database/database.ts";
import { migrate } from "../server/src/platform/database/migrations.ts";
import { findFreePort } from "../server/src/platform/embedded-postgres/postmaster.ts";
import { startEmbeddedPostgres } from "../server/src/platform/embedded-postgres/start.ts";
import { createSlowLine } from "../server/testing/platform/slow-line.ts";

export interface Stage {
  /** Where the server keeps its dev.json. */
  readonly home: string;
  readonly port: number;
  readonly serverProcessId: number;
  readonly postgresProcessId: number;
  readonly db: Database;
  /** For a leg that needs connections of its own. */
  readonly appUrl: string;
  readonly ownerUrl: string;
  readonly admin: pg.Client;
  /** The servers that run now, by what they do. */
  readonly processes: () => Readonly<Record<string, number>>;
  /** Ends the servers that run and starts others on the same database and port. */
  serve(role: StageRole): Promise<void>;
  close(): Promise<void>;
}

/** What the server under test does: `all` also works in the background, `apart` has a worker process beside it. */
export type StageRole = "api" | "all" | "apart";

export interface StageOptions {
  readonly role?: StageRole;
  /** Of PostgreSQL, beside those that every stage has. */
  readonly settings?: Readonly<Record<string, string>>;
}

const standardSettings = {
  max_wal_size: "4GB",
  wal_keep_size: "16GB",
  shared_buffers: "512MB",
  checkpoint_timeout: "30min",
  max_connections: "200",
} as const;

/** How much later replies of PostgreSQL reach the servers, as from another zone. */
const latencyMs = Number(process.env["BENCH_LATENCY_MS"] ?? 0);

const rolesOf = { api: ["api"], all: ["all"], apart: ["api", "worker"] } as const;

export async function openStage({ role = "api", settings = {} }: StageOptions = {}): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), "jara-bench-"));
  const postgres = await startEmbeddedPostgres({
    folder: join(folder, "postgres"),
    settings: { ...standardSettings, ...settings },
  });
  await migrate(postgres.ownerUrl);
  const admin = new pg.Client({ connectionString: postgres.ownerUrl });
  await admin.connect();
  await refuseCarelessness(admin);
  const line = latencyMs > 0 ? await createSlowLine(postgres.appUrl, latencyMs) : undefined;
  const reached = { ownerUrl: postgres.ownerUrl, appUrl: line?.url ?? postgres.appUrl };
  const port = await findFreePort();
  let servers = new Map<string, ChildProcess>();
  const serve = async (next: StageRole): Promise<void> => {
    for (const server of servers.values()) await stopServer(server);
    servers = new Map();
    for (const part of rolesOf[next]) servers.set(part, await startServer({ folder, port, role: part }, reached));
  };
  await serve(role);
  const db = createDatabase(createPool({ url: postgres.appUrl, poolSize: 20 }));
  return {
    home: folder,
    port,
    get serverProcessId() {
      return [...servers.values()][0]?.pid ?? 0;
    },
    postgresProcessId: await findPostmaster(admin),
    db,
    appUrl: postgres.appUrl,
    ownerUrl: postgres.ownerUrl,
    admin,
    processes: () => Object.fromEntries([...servers].map(([name, { pid = 0 }]) => [name, pid])),
    serve,
    async close() {
      for (const server of servers.values()) await stopServer(server);
      line?.close();
      await db.destroy();
      await admin.end();
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Where the embedded PostgreSQL keeps its data, the first line of this file is the process that started all others. */
async function findPostmaster(admin: pg.Client): Promise<number> {
  const found = await admin.query<{ id: string }>("select split_part(pg_read_file('postmaster.pid'), E'\\n', 1) as id");
  return Number(found.rows[0]?.id);
}

async function refuseCarelessness(admin: pg.Client): Promise<void> {
  for (const setting of ["fsync", "synchronous_commit", "full_page_writes"]) {
    const result = await admin.query<{ value: string }>("select current_setting($1) as value", [setting]);
    const value = result.rows[0]?.value;
    if (value !== "on") throw new Error(`${setting} is ${value}: a benchmark needs it on`);
  }
}

function startServer(
  { folder, port, role }: { readonly folder: string; readonly port: number; readonly role: string },
  postgres: { readonly appUrl: string; readonly ownerUrl: string },
): Promise<ChildProcess> {
  const server = fork(join(import.meta.dirname, "server.ts"), {
    env: {
      ...process.env,
      PORT: String(port),
      JARA_HOME: folder,
      DATABASE_URL: postgres.appUrl,
      DATABASE_OWNER_URL: postgres.ownerUrl,
      JARA_ROLE: role,
      JARA_RATE_LIMIT: "0",
      JARA_DEMO: "off",
      JARA_POOL_SIZE: "16",
      LOG_LEVEL: "warn",
    },
  });
  return new Promise((resolve, reject) => {
    server.once("message", () => resolve(server));
    server.once("exit", (code) => reject(new Error(`the server ended with ${code} before it was ready`)));
  });
}

function stopServer(server: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    server.once("exit", () => resolve());
    server.kill("SIGTERM");
  });
}
