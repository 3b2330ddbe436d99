/**
 * `npm run test:crash -- --rounds 20 --seed 42`: pays under load while API, worker and PostgreSQL are killed with -9 at
 * random, then compares the client's list, our ledger and the bank's books. The seed decides who is killed when.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startClient } from "./client.ts";
import { members, startFleet } from "./fleet.ts";
import { judge, untilFinal } from "./judge.ts";
import { createRandom } from "./random.ts";

const { values } = parseArgs({ options: { rounds: { type: "string" }, seed: { type: "string" } } });
const rounds = Number(values.rounds ?? 20);
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
const patienceMs = 240_000;

async function campaign(): Promise<readonly string[]> {
  console.log(`crash campaign: ${rounds} rounds, seed ${seed} (replay with --seed ${seed})`);
  const random = createRandom(seed);
  const home = mkdtempSync(join(tmpdir(), "jara-crash-"));
  const fleet = await startFleet(home);
  const { secretKey } = JSON.parse(readFileSync(join(home, "dev.json"), "utf8"));
  const { environmentId, funded } = await fund(fleet.baseUrl, secretKey, fleet.ownerUrl);
  const client = startClient(fleet.baseUrl, secretKey, createRandom(seed + 1));
  for (let round = 1; round <= rounds; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, random.between(100, 1_200)));
    const member = random.pick(members);
    await fleet.crash(member);
    console.log(`round ${round}: killed ${member}; ${client.acknowledged.size} payouts acknowledged so far`);
  }
  await client.stop();
  const open = await untilFinal(fleet.ownerUrl, patienceMs);
  const verdict = await judge(fleet.ownerUrl, environmentId, funded, client);
  await fleet.stop();
  console.log(`${client.acknowledged.size} acknowledged, outcomes ${JSON.stringify(verdict.counts)}, ${open} open`);
  if (verdict.contradictions.length === 0) rmSync(home, { recursive: true, force: true });
  else console.error(`The logs are in ${home}`);
  return client.acknowledged.size === 0 ? ["nothing was paid"] : verdict.contradictions;
}

async function fund(
  baseUrl: string,
  key: string,
  ownerUrl: string,
): Promise<{ environmentId: string; funded: bigint }> {
  await fetch(`${baseUrl}/sandbox/wallets/fund`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ amount: 1_000_000_000 }),
  });
  const { default: pg } = await import("pg");
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  const result = await owner.query<{ environment_id: string; balance: bigint }>(
    "select environment_id, sum(balance)::bigint as balance from accounts where has_floor group by environment_id",
  );
  await owner.end();
  const [wallet] = result.rows;
  if (wallet === undefined) throw new Error("the demo sandbox has no wallet");
  return { environmentId: wallet.environment_id, funded: wallet.balance };
}

const contradictions = await campaign();
for (const contradiction of contradictions.slice(0, 50)) console.error(`CONTRADICTION ${contradiction}`);
console.log(`crash campaign: ${contradictions.length === 0 ? "1 passed, 0 failed" : "0 passed, 1 failed"}`);
process.exit(contradictions.length === 0 ? 0 : 1);
