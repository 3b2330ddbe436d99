/**
 * `npm run test:crash:live -- --rounds 20 --seed 42`: the same in a live environment whose bank is Paystack's twin. The
 * twin is never killed and always misbehaves; API, worker and PostgreSQL are killed with -9. When everything has come
 * to rest, the bank's books and ours must agree to the kobo.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Bank, type BankBooks, startBank } from "./bank.ts";
import { inLive, startClient } from "./client.ts";
import { crashSomebody, type Fleet, startFleet } from "./fleet.ts";
import { comeToRest, untilSent } from "./follow-bank.ts";
import { judgeLive } from "./judge-live.ts";
import { startLossyProxy } from "./lossy-proxy.ts";
import { openLive } from "./open-live.ts";
import { createRandom } from "./random.ts";
import { verify } from "./verify.ts";

const { values } = parseArgs({ options: { rounds: { type: "string" }, seed: { type: "string" } } });
const rounds = Number(values.rounds ?? 20);
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
const ordersPerRound = 25;

async function campaign(): Promise<readonly string[]> {
  console.log(`live crash campaign: ${rounds} rounds, seed ${seed} (replay with --seed ${seed})`);
  const home = mkdtempSync(join(tmpdir(), "jara-crash-"));
  const [fleet, bank] = await Promise.all([startFleet(home), startBank(seed + 2)]);
  const all = await storm({ fleet, bank, home }).finally(async () => {
    await fleet.stop();
    bank.stop();
  });
  if (all.length === 0) rmSync(home, { recursive: true, force: true });
  else console.error(`The logs are in ${home}`);
  return all;
}

interface Stage {
  readonly fleet: Fleet;
  readonly bank: Bank;
  readonly home: string;
}

async function storm({ fleet, bank, home }: Stage): Promise<readonly string[]> {
  const random = createRandom(seed);
  const { operatorToken } = JSON.parse(readFileSync(join(home, "dev.json"), "utf8"));
  const { environmentId, key, doors, funded } = await openLive(fleet.baseUrl, operatorToken, bank.url);
  await bank.tell({ is: "doors", doors });
  const proxy = await startLossyProxy(fleet.baseUrl, createRandom(seed + 3));
  const client = startClient([proxy.baseUrl], key, createRandom(seed + 1), inLive);
  for (let round = 1; round <= rounds; round += 1) {
    await untilSent(bank, ordersPerRound);
    const member = await crashSomebody(fleet, random);
    console.log(`round ${round}: killed ${member}; ${client.acknowledged.size} payouts so far`);
  }
  await client.stop();
  proxy.close();
  const { open, books } = await comeToRest(bank, fleet.ownerUrl);
  const { contradictions, counts } = await judgeLive({ ...fleet, environmentId, funded, client, books });
  const verified = await verify(fleet);
  console.log(`${client.acknowledged.size} payouts acknowledged, ${open} open, outcomes ${JSON.stringify(counts)}`);
  console.log(`${books.sent.length} orders arrived at the bank; calls ${JSON.stringify(books.faults)}`);
  const stuck = open === 0 ? [] : [`${open} payouts and webhooks never came to an end`];
  return [...stuck, ...contradictions, ...verified, ...unproven({ ...counts, swallowed: proxy.swallowed() }, books)];
}

/** A campaign in which something never happened proves nothing about it. */
function unproven(counts: Readonly<Record<string, number>>, { faults }: BankBooks): string[] {
  const happened = { ...counts, ...faults };
  const wanted = ["completed", "swallowed", "failed", "reversed", "lost_reply", "early hook", "asked first", "held"];
  return wanted.filter((what) => (happened[what] ?? 0) === 0).map((what) => `nothing happened: ${what}`);
}

const contradictions = await campaign();
for (const contradiction of contradictions.slice(0, 50)) console.error(`CONTRADICTION ${contradiction}`);
console.log(`live crash campaign: ${contradictions.length === 0 ? "1 passed, 0 failed" : "0 passed, 1 failed"}`);
process.exit(contradictions.length === 0 ? 0 : 1);
