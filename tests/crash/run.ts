/**
 * `npm run test:crash -- --rounds 20 --seed 42`: pays and sells on credit under load while API, worker and PostgreSQL
 * are killed with -9 at random, lets months go by in the same way, then compares what the clients were told, our own
 * records and ledger, and the rails' books. The seed decides who is killed when. One reply in twenty is swallowed. With
 * `--together` API and worker are one process, as installations run them by default.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { passMonth } from "./calendar.ts";
import { startClient } from "./client.ts";
import type { Diary } from "./diary.ts";
import { crashSomebody, type Fleet, startFleet } from "./fleet.ts";
import { fund } from "./fund.ts";
import { judge, untilFinal } from "./judge.ts";
import { startLossyProxy } from "./lossy-proxy.ts";
import { createRandom, type Random } from "./random.ts";
import { startShop } from "./shop.ts";
import { verify } from "./verify.ts";

const { values } = parseArgs({
  options: { rounds: { type: "string" }, seed: { type: "string" }, together: { type: "boolean", default: false } },
});
const { together } = values;
const rounds = Number(values.rounds ?? 20);
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
const patienceMs = 240_000;
const answersPerRound = 20;
const longestRoundMs = 8_000;
/** The last rounds of a campaign are months. */
const months = Math.max(1, Math.floor(rounds / 8));

async function campaign(): Promise<readonly string[]> {
  console.log(
    `crash campaign: ${rounds} rounds, seed ${seed} (replay with --seed ${seed}${together ? " --together" : ""})`,
  );
  const random = createRandom(seed);
  const home = mkdtempSync(join(tmpdir(), "jara-crash-"));
  const fleet = await startFleet(home, { together });
  const { ownerUrl, baseUrl } = fleet;
  const { secretKey } = JSON.parse(readFileSync(join(home, "dev.json"), "utf8"));
  const { environmentId, funded } = await fund(baseUrl, secretKey, ownerUrl);
  const proxy = await startLossyProxy(baseUrl, createRandom(seed + 3));
  const client = startClient([proxy.baseUrl], secretKey, createRandom(seed + 1));
  const shop = startShop(proxy.baseUrl, secretKey, createRandom(seed + 2));
  for (let round = 1; round <= rounds - months; round += 1) {
    await untilAnswered(shop.diary, shop.diary.answered + answersPerRound);
    const member = await crashSomebody(fleet, random);
    const { loans, money } = shop.diary;
    const told = `${client.acknowledged.size} payments, ${loans.size} loans, ${money.size} repayments and refunds`;
    console.log(`round ${round}: killed ${member}; ${told} so far`);
  }
  await Promise.all([client.stop(), shop.stop()]);
  proxy.close();
  // What is still under way when the first month begins has to be finished in it, or after it.
  const late = await letMonthsPass(fleet, secretKey, random);
  const open = await untilFinal(ownerUrl, environmentId, patienceMs);
  const { contradictions, counts } = await judge({ ownerUrl, environmentId, funded, client, diary: shop.diary });
  const verified = await verify(fleet);
  await fleet.stop();
  console.log(`${client.acknowledged.size} payments acknowledged, ${open} open, outcomes ${JSON.stringify(counts)}`);
  console.log(`${proxy.swallowed()} replies to writes were swallowed after their commit`);
  const nothing = unproven({ ...counts, acknowledged: client.acknowledged.size, swallowed: proxy.swallowed() });
  const stuck = open === 0 ? [] : [`${open} never became final`];
  const all = [...late, ...stuck, ...contradictions, ...verified, ...nothing];
  if (all.length === 0) rmSync(home, { recursive: true, force: true });
  else console.error(`The logs are in ${home}`);
  return all;
}

/** Waits for the shop to get on, also on a slow machine: who never gets anywhere cannot be interrupted. */
async function untilAnswered(diary: Diary, wanted: number): Promise<void> {
  const deadline = performance.now() + longestRoundMs;
  while (diary.answered < wanted && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** In each month somebody is killed while what falls due in it is being done. */
async function letMonthsPass(fleet: Fleet, key: string, random: Random): Promise<string[]> {
  for (let month = 1; month <= months; month += 1) {
    const passing = passMonth(fleet.baseUrl, key, month);
    const member = await crashSomebody(fleet, random);
    if (!(await passing)) return [`month ${month} could not pass`];
    console.log(`round ${rounds - months + month}: killed ${member}; month ${month} has passed`);
  }
  return [];
}

/** A campaign in which something never happened proves nothing about it. */
function unproven(counts: Readonly<Record<string, number>>): string[] {
  const wanted = [
    "acknowledged",
    "swallowed",
    ...(rounds < 20 ? [] : ["charge repayment successful", "charge collection successful"]),
  ];
  return wanted.filter((what) => (counts[what] ?? 0) === 0).map((what) => `nothing happened: ${what}`);
}

const contradictions = await campaign();
for (const contradiction of contradictions.slice(0, 50)) console.error(`CONTRADICTION ${contradiction}`);
console.log(`crash campaign: ${contradictions.length === 0 ? "1 passed, 0 failed" : "0 passed, 1 failed"}`);
process.exit(contradictions.length === 0 ? 0 : 1);
