/**
 * `npm run cluster -- up | down | status | drill [name|all]`: three PostgreSQL nodes under Patroni with everything
 * around them on this machine, and what happens when parts of it are lost. README.md has the options.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, type as systemName, tmpdir, totalmem } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Drill, drills } from "./drills.ts";
import { frontUrl, keepLayout, type Layout, type PostgresChoice, planLayout, readLayout } from "./layout.ts";
import { asOwner } from "./merchant.ts";
import { membersOf } from "./patroni.ts";
import { type Played, playDrill } from "./play-drill.ts";
import { livingProcesses } from "./processes.ts";
import { installPrograms, missingPrograms } from "./programs.ts";
import { failuresOf, type Machine, replaceResults, resultsOf } from "./report.ts";
import { type Cluster, openCluster, startCluster } from "./start-cluster.ts";
import { removeCluster, stopCluster } from "./stop-cluster.ts";

const root = join(import.meta.dirname, "..", "..");
const document = join(root, "docs", "local-cluster.md");
const usage = `npm run cluster -- up | down | status | drill [all|${drills.map(({ name }) => name).join("|")}]
  --folder F        where everything lies (${join(tmpdir(), "jara-cluster")})
  --postgres P      embedded, or the folder of another PostgreSQL's programs such as /usr/lib/postgresql/15/bin
  --etcd N          members of etcd, 3 or 1
  --rate N          payouts a second during a drill (100)
  --short           one member of etcd, fewer payouts, no restart of databases
  --install         in CI, as root: gets missing programs from Debian; where that fails, leaves the drills out
  --keep            down leaves data and logs
  --write           drill writes its results into docs/local-cluster.md`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    folder: { type: "string", default: join(tmpdir(), "jara-cluster") },
    postgres: { type: "string", default: "embedded" },
    etcd: { type: "string" },
    rate: { type: "string", default: "100" },
    short: { type: "boolean", default: false },
    install: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});
const folder = resolve(values.folder);

try {
  process.exitCode = await run(positionals);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function run([command, name = "all"]: readonly string[]): Promise<number> {
  if (command === "down") return down();
  if (command === "status") return status();
  if (command !== "up" && command !== "drill") {
    console.error(usage);
    return 1;
  }
  const wanted = chosen(name);
  const missing = values.install ? installPrograms() : missingPrograms();
  if (missing !== undefined && !values.install) throw new Error(missing);
  if (missing !== undefined) {
    console.log(`local cluster: LEFT OUT, nothing was played. ${missing}`);
    return 0;
  }
  return command === "up" ? up() : drill(wanted);
}

async function up(): Promise<number> {
  const { layout } = await setUp();
  console.log(`
  API          ${frontUrl(layout)}   (haproxy, two processes)
  Database     127.0.0.1:${layout.ports.pooler} pgbouncer, 127.0.0.1:${layout.ports.writer} the primary
  Prometheus   http://127.0.0.1:${layout.ports.prometheus}
  Keys, token  ${join(folder, "jara", "dev.json")}
  Logs         ${join(folder, "logs")}

  npm run cluster -- down   takes it down.`);
  return 0;
}

/** Whatever is left of an earlier one goes first; Ctrl-C in the middle takes down what is there so far. */
async function setUp(): Promise<Cluster> {
  await down();
  const { postgres } = values;
  if (!isChoice(postgres)) throw new Error("--postgres is embedded or a whole path.");
  const etcdMembers = (values.etcd ?? (values.short ? "1" : "3")) === "1" ? 1 : 3;
  const layout = await planLayout({ folder, postgres, etcdMembers });
  keepLayout(layout);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => void takeDownAndEnd());
  console.log(`Setting up in ${folder}`);
  try {
    return await startCluster(layout, (words) => console.log(`  ${words}`));
  } catch (error) {
    await leave(layout);
    throw error;
  }
}

function isChoice(text: string): text is PostgresChoice {
  return text === "embedded" || text.startsWith("/");
}

async function takeDownAndEnd(): Promise<never> {
  console.log("Stopping everything …");
  await down();
  process.exit(1);
}

async function down(): Promise<number> {
  const layout = readLayout(folder);
  if (layout === undefined) return 0;
  const stopped = await stopCluster(layout);
  if (!values.keep) removeCluster(layout);
  console.log(stopped.length === 0 ? `Nothing ran in ${folder}.` : `Stopped: ${stopped.join(", ")}`);
  return 0;
}

async function status(): Promise<number> {
  const layout = readLayout(folder);
  const living = livingProcesses(folder);
  if (layout === undefined || living.length === 0) {
    console.log(`No cluster runs in ${folder}.`);
    return 1;
  }
  console.log(`Running in ${folder}: ${living.join(", ")}`);
  for (const { name, role, state, lag } of await membersOf(layout.nodes)) {
    console.log(`  ${name}  ${role.padEnd(13)}${state}${lag === undefined ? "" : `, ${lag} bytes behind`}`);
  }
  console.log(`  API ${frontUrl(layout)}`);
  return 0;
}

/** One, several with commas between, or all. */
function chosen(names: string): readonly Drill[] {
  if (names === "all") return drills;
  return names.split(",").map((name) => {
    const found = drills.find((one) => one.name === name);
    if (found === undefined) throw new Error(`There is no drill called ${name}.\n${usage}`);
    return found;
  });
}

/** On the cluster that runs in the folder, or else on one of its own that is taken down afterwards. */
async function drill(wanted: readonly Drill[]): Promise<number> {
  const running = livingProcesses(folder).length > 0 ? readLayout(folder) : undefined;
  const cluster = running === undefined ? await setUp() : openCluster(running);
  const played: Played[] = [];
  try {
    for (const one of wanted) played.push(await playAloud(cluster, one));
    if (values.write) {
      const results = resultsOf(await describeMachine(cluster.layout), played);
      writeFileSync(document, replaceResults(readFileSync(document, "utf8"), results));
    }
  } finally {
    const isGood = played.length === wanted.length && played.every(passed);
    if (isGood && running === undefined) await down();
    else if (!isGood) await leave(cluster.layout);
  }
  const failed = played.filter((one) => !passed(one)).length;
  console.log(`local cluster: ${played.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

function passed({ contradictions }: Played): boolean {
  return contradictions.length === 0;
}

async function playAloud(cluster: Cluster, one: Drill): Promise<Played> {
  console.log(`${one.name}: ${one.title}`);
  const result = await playDrill(cluster, one, { short: values.short, perSecond: Number(values.rate) });
  tell(result);
  return result;
}

/** What went wrong stays as it is, for a person to look at. In CI nobody comes: the logs stay, the programs end. */
async function leave(layout: Layout): Promise<void> {
  if (process.env["CI"] === "true") await stopCluster(layout);
  else console.log("npm run cluster -- down ends it.");
  console.log(`The logs are in ${join(folder, "logs")}.`);
}

function tell({ requests, acknowledged, failures, longestGapSeconds, remarks, contradictions }: Played): void {
  console.log(`  ${acknowledged} payouts acknowledged in ${requests} requests; not a success: ${failuresOf(failures)}`);
  console.log(`  longest time without service: ${longestGapSeconds} s`);
  for (const words of remarks) console.log(`  ${words}`);
  for (const words of contradictions.slice(0, 20)) console.error(`  CONTRADICTION ${words}`);
}

async function describeMachine(layout: Layout): Promise<Machine> {
  const [shown] = await asOwner<{ server_version: string }>(layout, "show server_version");
  return {
    cores: cpus().length,
    memoryGib: Math.round(totalmem() / 2 ** 30),
    system: `${systemName()} ${process.arch}`,
    commit: execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: root, encoding: "utf8" }).trim(),
    date: new Date().toISOString().slice(0, 10),
    postgres: shown?.server_version ?? "",
    etcdMembers: layout.etcd.length,
  };
}
