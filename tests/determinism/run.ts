/**
 * `npm run test:determinism -- --runs 200 --lanes 4`: tells the same story on frozen clocks again and again, in several
 * sandboxes at once while another pays with its clock running, and compares every reply, record and event, byte for
 * byte, with the first telling in the same sandbox.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findFreePort } from "../../server/src/platform/embedded-postgres/postmaster.ts";
import { type Call, firstDifference, tell } from "./story.ts";

const { values } = parseArgs({ options: { runs: { type: "string" }, lanes: { type: "string" } } });
const runs = Number(values.runs ?? 200);
const lanes = Number(values.lanes ?? 4);
/** An advance steps back for the noise, and on a busy machine takes minutes. */
const longestCallMs = 600_000;

async function campaign(): Promise<readonly string[]> {
  console.log(`determinism campaign: ${runs} runs in ${lanes} sandboxes`);
  const home = mkdtempSync(join(tmpdir(), "jara-determinism-"));
  const port = await findFreePort();
  const settings = { JARA_HOME: home, PORT: String(port), JARA_RATE_LIMIT: "0", JARA_DEMO: "off", LOG_LEVEL: "error" };
  const env = { ...process.env, ...settings };
  const server = fork(join(import.meta.dirname, "..", "..", "bench", "server.ts"), { env });
  await Promise.race([
    once(server, "message"),
    once(server, "exit").then(() => Promise.reject(new Error("no server"))),
  ]);
  // A campaign that breaks leaves no server behind.
  process.once("exit", () => server.kill("SIGTERM"));
  const baseUrl = `http://127.0.0.1:${port}`;
  const { operatorToken, secretKey } = JSON.parse(readFileSync(join(home, "dev.json"), "utf8"));
  const keys = await Promise.all(Array.from({ length: lanes }, (_, lane) => openSandbox(baseUrl, operatorToken, lane)));
  const noise = makeNoise(callerOf(baseUrl, secretKey));
  let left = runs;
  const takeOne = (): boolean => {
    left -= 1;
    return left >= 0;
  };
  const found = await Promise.all(keys.map((key, lane) => tellAgain(callerOf(baseUrl, key), lane, takeOne)));
  const paid = await noise.stop();
  console.log(`${paid} payments were made meanwhile in another sandbox`);
  server.kill("SIGTERM");
  await once(server, "exit");
  rmSync(home, { recursive: true, force: true });
  return found.flat();
}

async function tellAgain(call: Call, lane: number, takeOne: () => boolean): Promise<string[]> {
  const different: string[] = [];
  const first = await tell(call);
  const refused = first.filter((line) => / [45]\d\d /.test(line));
  if (refused.length > 0) different.push(`sandbox ${lane}: the story was refused: ${refused[0]}`);
  let equal = 0;
  for (let run = 1; takeOne(); run += 1) {
    const difference = firstDifference(first, await tell(call));
    if (difference === undefined) equal += 1;
    else different.push(`sandbox ${lane}, run ${run}: ${difference}`);
    if (run % 10 === 0) console.log(`sandbox ${lane}: ${equal} of ${run} runs equal, ${first.length} lines each`);
  }
  console.log(`sandbox ${lane}: ${equal} runs equal to the first, ${different.length} not`);
  return different;
}

/** Payments on a running clock, so that the loops of the worker are busy. */
function makeNoise(call: Call): { stop(): Promise<number> } {
  let stopping = false;
  let paid = 0;
  const paying = Array.from({ length: 3 }, async (_, lane) => {
    await call("POST", "/sandbox/wallets/fund", { amount: 5_000_000 });
    while (!stopping) {
      const endings = ["", "_TIMEOUT", "_REVERSE", "_FAIL"];
      const reference = `noise-${lane}-${paid}-${process.hrtime.bigint()}${endings[paid % endings.length]}`;
      const account = { bankCode: "058", accountNumber: "0123456789", currency: "NGN" };
      await call("POST", "/transfers", { ...account, amount: 100, narration: "Noise", reference });
      paid += 1;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
  return {
    async stop() {
      stopping = true;
      await Promise.all(paying);
      return paid;
    },
  };
}

async function openSandbox(baseUrl: string, token: string, lane: number): Promise<string> {
  const operate = callerOf(baseUrl, token);
  const email = `lane-${lane}@example.com`;
  const merchant = JSON.parse((await operate("POST", "/operator/merchants", { name: `Lane ${lane}`, email })).body);
  const [environment] = merchant.data.environments;
  const issued = await operate("POST", `/operator/environments/${environment.id}/keys`, { name: "Story" });
  return JSON.parse(issued.body).data.key;
}

function callerOf(baseUrl: string, key: string): Call {
  return async (method, path, body) => {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    };
    const reply = await fetch(`${baseUrl}${path}`, {
      method,
      headers,
      signal: AbortSignal.timeout(longestCallMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: reply.status, body: await reply.text() };
  };
}

const different = await campaign();
for (const line of different.slice(0, 10)) console.error(line);
console.log(different.length === 0 ? "All runs are equal, byte for byte." : `${different.length} runs differ.`);
process.exit(different.length === 0 ? 0 : 1);
