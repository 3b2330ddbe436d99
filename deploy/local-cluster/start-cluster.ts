/** Sets a cluster up, from etcd to Prometheus, each program when the one below it serves. */
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Account } from "../../server/src/platform/embedded-postgres/account.ts";
import { prepareRolesAndDatabase } from "../../server/src/platform/embedded-postgres/cluster.ts";
import {
  etcdArguments,
  haproxyConfiguration,
  patroniConfiguration,
  pgbouncerConfiguration,
  pgbouncerUsers,
  prometheusConfiguration,
  wireConfiguration,
} from "./configurations.ts";
import {
  type DatabaseNode,
  frontUrl,
  type JaraProcess,
  jaraHomeOf,
  type Layout,
  logFileOf,
  ownerUrl,
  serverUrl,
} from "./layout.ts";
import { membersOf, roleOf } from "./patroni.ts";
import { findProcess, startProgram } from "./processes.ts";
import { findPostgres, type PostgresHome, requireProgram } from "./programs.ts";

const root = join(import.meta.dirname, "..", "..");
const standIns = join(import.meta.dirname, "stand-ins");
const alertRules = join(root, "deploy", "prometheus", "alerts.yml");

export interface Cluster {
  readonly layout: Layout;
  readonly home: PostgresHome;
}

export function openCluster(layout: Layout): Cluster {
  return { layout, home: findPostgres(layout.postgres, layout.folder) };
}

/** `say` hears how far it is. */
export async function startCluster(layout: Layout, say: (words: string) => void): Promise<Cluster> {
  const cluster = openCluster(layout);
  const { folder, ports } = layout;
  prepareFolders(cluster);
  for (const { name } of layout.etcd) startEtcd(cluster, name);
  await until("etcd", () => answers(`http://127.0.0.1:${layout.etcd[0]?.clientPort}/health`), folder, "etcd1");
  say(`etcd: ${layout.etcd.length} member${layout.etcd.length === 1 ? "" : "s"}`);
  const [first, ...others] = layout.nodes;
  if (first === undefined) throw new Error("a cluster has nodes");
  // The first one makes the database, the others copy it.
  startNode(cluster, first.name);
  await until("the first node", async () => (await roleOf(first)) === "primary", folder, first.name);
  await prepareRolesAndDatabase(ownerUrl(layout, first.postgresPort, "postgres"), layout.ownerPassword);
  for (const { name } of others) startNode(cluster, name);
  startHaproxy(cluster);
  startPooler(cluster);
  await until("a synchronous standby", () => isComplete(layout), folder, others[0]?.name ?? "node2");
  say(`PostgreSQL: ${layout.nodes.length} nodes under Patroni, one of them a synchronous standby`);
  for (const { name } of layout.processes) {
    startJara(layout, name);
    // The first one brings the schema up to date and makes the secrets that the others read.
    if (name === "api1") await untilReady(layout, name);
  }
  for (const { name, role } of layout.processes) if (role === "api") await untilReady(layout, name);
  await until("haproxy", () => answers(`${frontUrl(layout)}/readyz`), folder, "haproxy");
  say("Jara: two API processes and two workers");
  startPrometheus(cluster);
  await until("Prometheus", () => answers(`http://127.0.0.1:${ports.prometheus}/-/ready`), folder, "prometheus");
  say("Prometheus: reads all four, with the alert rules of deploy/prometheus");
  return cluster;
}

/** Everybody is there, and one standby has all that is acknowledged. */
export async function isComplete({ nodes }: Layout): Promise<boolean> {
  // Each node for itself: what the others know of one that was killed is up to twenty seconds old.
  const roles = await Promise.all(nodes.map(roleOf));
  if (roles.includes(undefined) || !roles.includes("primary")) return false;
  const members = await membersOf(nodes);
  return members.length === nodes.length && members.some(({ role }) => role === "sync_standby");
}

function prepareFolders({ layout, home }: Cluster): void {
  const { account } = home;
  // PostgreSQL's account made the folder its own to try whether it can live there; it stays ours.
  if (process.getuid?.() === 0) chownSync(layout.folder, 0, 0);
  chmodSync(layout.folder, 0o755);
  const names = [...layout.etcd, ...layout.nodes].map(({ name }) => name);
  for (const name of [...names, "pgbouncer", "prometheus"]) belongTo(account, join(layout.folder, name));
  for (const { name } of layout.nodes) {
    writeFor(account, join(layout.folder, name, "owner-password"), layout.ownerPassword);
  }
  const programs = patroniPrograms(layout, home);
  for (const node of layout.nodes) {
    writeFor(
      account,
      join(layout.folder, node.name, "patroni.json"),
      patroniConfiguration(layout, node, programs(node)),
    );
  }
  writeFor(account, join(layout.folder, "pgbouncer", "users.txt"), pgbouncerUsers(layout));
  writeFor(account, join(layout.folder, "pgbouncer", "pgbouncer.ini"), pgbouncerConfiguration(layout));
  writeFor(account, join(layout.folder, "haproxy.cfg"), haproxyConfiguration(layout));
  writeFor(account, join(layout.folder, "wire.cfg"), wireConfiguration(layout));
  writeFor(account, join(layout.folder, "prometheus", "prometheus.json"), prometheusConfiguration(layout, alertRules));
}

/** What the npm package leaves out of PostgreSQL's programs is put beside the others. */
function patroniPrograms({ folder, postgres }: Layout, { bin }: PostgresHome) {
  if (postgres !== "embedded") return () => ({ bin });
  const own = join(folder, "bin");
  mkdirSync(own, { recursive: true });
  for (const name of readdirSync(bin)) {
    if (!existsSync(join(own, name))) symlinkSync(join(bin, name), join(own, name));
  }
  const standIn = (name: string): string => `${process.execPath} ${join(standIns, name)}`;
  for (const name of ["pg_controldata", "pg_isready"]) {
    const script = `#!/bin/sh\nexec ${standIn(`${name.replace("_", "-")}.ts`)} "$@"\n`;
    writeFileSync(join(own, name), script, { mode: 0o755 });
  }
  return ({ name }: DatabaseNode) => ({
    bin: own,
    clone: `${standIn("clone-node.ts")} --owner-file=${join(folder, name, "owner-password")}`,
  });
}

function belongTo(account: Account, folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (process.getuid?.() === 0) chownSync(folder, account.uid, account.gid);
}

function writeFor(account: Account, file: string, text: string): void {
  rmSync(file, { force: true });
  writeFileSync(file, text, { mode: 0o600 });
  if (process.getuid?.() === 0) chownSync(file, account.uid, account.gid);
}

export function startEtcd({ layout, home }: Cluster, name: string): void {
  const member = layout.etcd.find((one) => one.name === name);
  if (member === undefined) throw new Error(`there is no ${name}`);
  startProgram(layout.folder, {
    name,
    account: home.account,
    command: [requireProgram("etcd"), ...etcdArguments(layout, member)],
    // Debian's runs on more machines than its makers test.
    environment: process.arch === "arm64" ? { ETCD_UNSUPPORTED_ARCH: "arm64" } : {},
  });
}

export function startNode({ layout, home }: Cluster, name: string): void {
  const configuration = join(layout.folder, name, "patroni.json");
  startProgram(layout.folder, { name, account: home.account, command: [requireProgram("patroni"), configuration] });
}

function startHaproxy({ layout, home }: Cluster): void {
  for (const name of ["haproxy", "wire"]) {
    const command = [requireProgram("haproxy"), "-db", "-f", join(layout.folder, `${name}.cfg`)] as const;
    startProgram(layout.folder, { name, account: home.account, command });
  }
}

function startPooler({ layout, home }: Cluster): void {
  const configuration = join(layout.folder, "pgbouncer", "pgbouncer.ini");
  const command = [requireProgram("pgbouncer"), configuration] as const;
  startProgram(layout.folder, { name: "pgbouncer", account: home.account, command });
}

function startPrometheus({ layout, home }: Cluster): void {
  const folder = join(layout.folder, "prometheus");
  const command = [
    requireProgram("prometheus"),
    `--config.file=${join(folder, "prometheus.json")}`,
    `--storage.tsdb.path=${join(folder, "data")}`,
    `--web.listen-address=127.0.0.1:${layout.ports.prometheus}`,
  ] as const;
  startProgram(layout.folder, { name: "prometheus", account: home.account, command });
}

export function startJara(layout: Layout, name: string): void {
  const member = layout.processes.find((one) => one.name === name);
  if (member === undefined) throw new Error(`there is no ${name}`);
  const command = [process.execPath, join(root, "server", "src", "main.ts")] as const;
  startProgram(layout.folder, { name, command, environment: jaraEnvironment(layout, member) });
}

/** The API goes by the wire that a drill can cut; workers go straight. */
function jaraEnvironment(layout: Layout, { role, port, metricsPort }: JaraProcess): Record<string, string> {
  const { ports } = layout;
  const [pooled, direct] = role === "api" ? [ports.wirePooled, ports.wireDirect] : [ports.pooler, ports.writer];
  return {
    JARA_ROLE: role,
    PORT: String(port),
    JARA_METRICS_PORT: String(metricsPort),
    PUBLIC_URL: frontUrl(layout),
    TRUST_PROXY: "1",
    JARA_HOME: jaraHomeOf(layout),
    DATABASE_URL: serverUrl(layout, pooled),
    DATABASE_DIRECT_URL: serverUrl(layout, direct),
    DATABASE_OWNER_URL: ownerUrl(layout, direct),
    JARA_POOL_SIZE: "10",
    JARA_RATE_LIMIT: "0",
    JARA_DEMO: "off",
    JARA_OUTPUT: "json",
    LOG_LEVEL: "warn",
    NODE_ENV: "development",
  };
}

export async function untilReady(layout: Layout, name: string): Promise<void> {
  const port = layout.processes.find((one) => one.name === name)?.port;
  await until(name, () => answers(`http://127.0.0.1:${port}/readyz`), layout.folder, name);
}

const patienceMs = 120_000;

/** Waits for a program to serve. One that has ended will not, and its log says why. */
export async function until(
  what: string,
  isThere: () => Promise<boolean>,
  folder: string,
  program: string,
): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!(await isThere())) {
    const gone = findProcess(folder, program) === undefined;
    if (gone || performance.now() > deadline) {
      throw new Error(`${what} did not come up. See ${logFileOf(folder, program)}`);
    }
    await pause(200);
  }
}

export function answers(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    (response) => response.ok,
    () => false,
  );
}
