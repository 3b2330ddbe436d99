/**
 * `npm run test:upgrade -- --from <commit>`: a server of an older release pays under load, the program of this tree is
 * started beside it and brings the database up to date, both serve, the old one is stopped. Nothing that a client was
 * told is lost, the books are right, and the old program refuses to come back, or serves where the schema is the same.
 * `--short` pays less in each stage.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { findFreePort } from "../../server/src/platform/embedded-postgres/postmaster.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../server/src/platform/embedded-postgres/start.ts";
import { type Client, startClient } from "../crash/client.ts";
import { ended, mainFile, serverSettings, untilServing } from "../crash/fleet.ts";
import { fund } from "../crash/fund.ts";
import { judge } from "../crash/judge.ts";
import { createRandom } from "../crash/random.ts";
import { untilDelivered } from "../crash/until-delivered.ts";
import { verify } from "../crash/verify.ts";
import { findRelease, type OlderTree, unpackRelease } from "./older-tree.ts";

const { values } = parseArgs({
  options: { from: { type: "string" }, payments: { type: "string" }, short: { type: "boolean", default: false } },
});
const paymentsPerStage = Number(values.payments ?? (values.short ? 40 : 300));
const patienceMs = 180_000;

interface Stage {
  readonly home: string;
  readonly postgres: EmbeddedPostgres;
  readonly older: OlderTree;
}

async function upgrade(release: string): Promise<readonly string[]> {
  const home = mkdtempSync(join(tmpdir(), "jara-upgrade-"));
  const older = unpackRelease(release, join(home, "older"));
  // Nobody pulls the plug here, so nothing has to wait for the disk.
  const settings = { port: String(await findFreePort()), max_connections: "100", fsync: "off" };
  const postgres = await startEmbeddedPostgres({ folder: join(home, "postgres"), settings });
  const found = await play({ home, postgres, older }).finally(() => postgres.stop());
  if (found.length === 0) rmSync(home, { recursive: true, force: true });
  else console.error(`The logs are in ${home}`);
  return found;
}

async function play(stage: Stage): Promise<readonly string[]> {
  const { home, postgres, older } = stage;
  const { ownerUrl } = postgres;
  const [oldPort, newPort] = [await findFreePort(), await findFreePort()];
  const urls = [`http://127.0.0.1:${oldPort}`, `http://127.0.0.1:${newPort}`] as const;
  const before = startProgram(stage, "old", older.node, older.mainFile, oldPort);
  await untilServing(urls[0], home);
  const { secretKey } = JSON.parse(readFileSync(join(home, "dev.json"), "utf8"));
  const { environmentId, funded } = await fund(urls[0], secretKey, ownerUrl);
  const client = startClient(urls, secretKey, createRandom(1));
  const silence = watchSilence(client);
  await untilPaid(client, "by the old server alone");
  const now = startProgram(stage, "new", process.execPath, mainFile, newPort);
  try {
    await untilServing(urls[1], home);
    await untilPaid(client, "by both");
    await ended(before, "SIGTERM");
    await untilPaid(client, "by the new server alone");
    await client.stop();
    console.log(`the longest time without an accepted payment: ${Math.round(silence.stop())} ms`);
    const open = await untilDelivered(ownerUrl, environmentId, patienceMs);
    const { contradictions, counts } = await judge({ ownerUrl, environmentId, funded, client });
    console.log(`${client.acknowledged.size} payments acknowledged, outcomes ${JSON.stringify(counts)}`);
    return [
      ...(open === 0 ? [] : [`${open} never became final`]),
      ...contradictions,
      ...(await verify({ ...postgres, home })),
      ...(await comeBack(stage, oldPort)),
    ];
  } finally {
    await ended(now, "SIGTERM");
  }
}

function startProgram({ home, postgres }: Stage, name: string, node: string, main: string, port: number): ChildProcess {
  const log = openSync(join(home, `${name}.log`), "a");
  const env = serverSettings(home, postgres, port);
  const child = spawn(node, [main], { env, stdio: ["ignore", log, log] });
  closeSync(log);
  return child;
}

/** Roll-back: on the same schema the old program serves again; on a newer one it ends, and says why. */
async function comeBack(stage: Stage, port: number): Promise<string[]> {
  const { older, home } = stage;
  console.log(`the old program is started again, and ${older.onNewSchema === "serves" ? "serves" : "refuses"}`);
  const child = startProgram(stage, "back", older.node, older.mainFile, port);
  try {
    if (older.onNewSchema === "serves") {
      await untilServing(`http://127.0.0.1:${port}`, home);
      return [];
    }
    const code = await new Promise<number | null>((resolve) => {
      child.once("exit", resolve);
      setTimeout(() => child.kill("SIGKILL"), patienceMs).unref();
    });
    const said = readFileSync(join(home, "back.log"), "utf8");
    if (code === 1 && said.includes("older than the database")) return [];
    return [`the old program did not refuse the newer database: exit ${code}, ${said.slice(0, 300)}`];
  } finally {
    await ended(child, "SIGTERM");
  }
}

async function untilPaid(client: Client, who: string): Promise<void> {
  const wanted = client.acknowledged.size + paymentsPerStage;
  const deadline = performance.now() + patienceMs;
  while (client.acknowledged.size < wanted) {
    if (performance.now() > deadline) throw new Error(`no ${paymentsPerStage} payments ${who}`);
    await pause(20);
  }
  console.log(`${paymentsPerStage} payments ${who}`);
}

/** Measures the longest time in which no payment was accepted. */
function watchSilence({ acknowledged }: Client): { stop(): number } {
  let [seen, since, longest] = [0, performance.now(), 0];
  const watch = setInterval(() => {
    longest = Math.max(longest, performance.now() - since);
    if (acknowledged.size > seen) [seen, since] = [acknowledged.size, performance.now()];
  }, 20);
  return {
    stop() {
      clearInterval(watch);
      return longest;
    },
  };
}

const { name, commit, isCutOff } = findRelease(values.from);
if (commit === undefined) {
  const isLeftOut = values.from === undefined && isCutOff;
  const why = isCutOff ? "this clone is shallow" : "its history does not have it";
  console.error(`upgrade: ${isLeftOut ? "left out" : "cannot be played"}, because ${name} is not here: ${why}`);
  process.exit(isLeftOut ? 0 : 1);
}
console.log(`upgrade: from ${name}, ${paymentsPerStage} payments a stage`);
const contradictions = await upgrade(commit);
for (const contradiction of contradictions.slice(0, 50)) console.error(`CONTRADICTION ${contradiction}`);
console.log(`upgrade: ${contradictions.length === 0 ? "1 passed, 0 failed" : "0 passed, 1 failed"}`);
process.exit(contradictions.length === 0 ? 0 : 1);
