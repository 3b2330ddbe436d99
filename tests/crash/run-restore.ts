/**
 * `npm run test:restore -- --seed 42`: a live environment pays out through Paystack's twin while a backup is made; then
 * the machine is gone, disk and all. The database is restored to a moment between, on a new disk and with the master
 * key that was kept apart, and goes on. Whatever the bank has and we do not must have been accepted after that moment,
 * and the comparison of the day must name exactly that; nothing may be paid twice.
 *
 * `--payouts 1000000` measures instead how long so many payouts take (`restore-many.ts`).
 */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { archiveAll, query, readClock } from "./ask-database.ts";
import { type Bank, type BankBooks, startBank } from "./bank.ts";
import { type Client, inLive, startClient } from "./client.ts";
import { compareDay } from "./compare-day.ts";
import { type Fleet, startFleet } from "./fleet.ts";
import { comeToRest, untilSent } from "./follow-bank.ts";
import { judgeLive } from "./judge-live.ts";
import { type LiveShop, openLive } from "./open-live.ts";
import { createRandom } from "./random.ts";
import { restoreMany } from "./restore-many.ts";
import { runProgram, verify } from "./verify.ts";

const { values } = parseArgs({ options: { seed: { type: "string" }, payouts: { type: "string" } } });
const leastLost = 20;
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));

async function campaign(): Promise<readonly string[]> {
  console.log(`restore campaign: seed ${seed} (replay with --seed ${seed})`);
  const place = mkdtempSync(join(tmpdir(), "jara-restore-"));
  const bank = await startBank(seed + 2);
  const found = await lose(place, bank).finally(() => bank.stop());
  if (found.length === 0) rmSync(place, { recursive: true, force: true });
  else console.error(`The logs are in ${place}`);
  return found;
}

async function lose(place: string, bank: Bank): Promise<readonly string[]> {
  const [home, backups] = [join(place, "machine"), join(place, "backups")];
  mkdirSync(backups);
  const fleet = await startFleet(home, { archiveTo: backups });
  const shop = await openLive(fleet.baseUrl, readOperatorToken(home), bank.url);
  await bank.tell({ is: "doors", doors: shop.doors });
  const client = startClient([fleet.baseUrl], shop.key, createRandom(seed + 1), inLive);
  await untilSent(bank, 40);
  await runProgram("back-up.ts", { JARA_HOME: home, JARA_BACKUP_FOLDER: backups });
  await untilSent(bank, 40);
  const before = new Set(client.acknowledged.keys());
  const moment = await readClock(fleet.ownerUrl);
  await untilPaid(bank, (order) => !before.has(order));
  await client.stop();
  await archiveAll(fleet.ownerUrl);
  await fleet.perish();
  console.log(`${client.acknowledged.size} payouts accepted, ${before.size} of them by ${moment.toISOString()}`);

  const newHome = join(place, "new-machine");
  mkdirSync(newHome);
  for (const secret of ["master-key", "operator-token"]) copyFileSync(join(home, secret), join(newHome, secret));
  rmSync(home, { recursive: true });
  const words = ["--from", backups, "--at", moment.toISOString()];
  await runProgram("restore.ts", { JARA_HOME: newHome }, words);
  const restored = await startFleet(newHome, { port: Number(new URL(fleet.baseUrl).port) });
  return judge({ restored, shop, bank, client, before }).finally(restored.stop);
}

/** Waits until the bank has some payments of this kind. */
async function untilPaid(bank: Bank, isWanted: (order: string) => boolean): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const { transfers } = await bank.tell({ is: "look" });
    if (transfers.filter(({ order }) => isWanted(order)).length >= leastLost) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the bank was given too little after the moment");
}

interface Aftermath {
  readonly restored: Fleet;
  readonly shop: LiveShop;
  readonly bank: Bank;
  readonly client: Client;
  /** References that had been acknowledged by the moment that was restored. */
  readonly before: ReadonlySet<string>;
}

async function judge({ restored, shop, bank, client, before }: Aftermath): Promise<readonly string[]> {
  await comeToRest(bank, restored.ownerUrl);
  // What the bank took back after the moment was told to a server that is no more. The first comparison has it asked
  // about, the second finds nothing but what was accepted after the moment.
  const compare = () => compareDay(restored.baseUrl, readOperatorToken(restored.home), shop.connectionId);
  const { others: untold } = await compare();
  const { open, books } = await comeToRest(bank, restored.ownerUrl);
  const { strangers: reported, others } = await compare();
  const known = await readReferences(restored.ownerUrl, shop.environmentId);
  const isKnown = (reference: string) => known.has(reference);
  const forgotten = [...before].filter((reference) => !isKnown(reference));
  const lost = books.transfers.filter(({ order }) => !isKnown(order));
  const acknowledged = new Map([...client.acknowledged].filter(([reference]) => isKnown(reference)));
  const { contradictions, counts } = await judgeLive({
    ...restored,
    ...shop,
    client: { ...client, acknowledged },
    books: without(
      books,
      lost.map(({ order }) => order),
    ),
  });
  const early = await readEarlyHints(restored.ownerUrl, shop.environmentId);
  const unreported = lost.filter(({ reference }) => !reported.has(reference));
  console.log(`${known.size} payouts restored, outcomes ${JSON.stringify(counts)}`);
  console.log(`${lost.length} payments of the bank were accepted after the moment; the day's comparison names them`);
  console.log(`${untold.length} payments ended otherwise than the restored books say, and were asked about`);
  return [
    ...others.map((words) => `the second comparison finds ${words}`),
    ...(open === 0 ? [] : [`${open} payouts and webhooks never came to an end`]),
    ...forgotten.map((reference) => `${reference} was acknowledged before the moment and is not there`),
    ...contradictions.filter((words) => !isExplained(words, [...lost.map(({ reference }) => reference), ...early])),
    ...unreported.map(({ order }) => `the day's comparison does not name ${order}`),
    ...(reported.size === lost.length
      ? []
      : [`the comparison names ${reported.size} payments, ${lost.length} are lost`]),
    ...(await verify(restored)),
    ...(lost.length === 0 || counts["completed"] === undefined ? ["nothing was lost or nothing was paid"] : []),
  ];
}

/** Webhooks about payments that we have no record of are nobody's, and say so. */
function isExplained(words: string, strangers: readonly string[]): boolean {
  return words.startsWith("the webhook") && strangers.some((session) => words.includes(`about ${session} is not_ours`));
}

/**
 * A payout that waited at the moment had been paid since, and the bank's webhook about it came before it was sent again
 * under the same session: at that time nobody knew the session. It ended afterwards, by its own question.
 */
async function readEarlyHints(url: string, environmentId: string): Promise<readonly string[]> {
  const text = `select h.order_id as session from rail_hints h
    join transfers t on t.environment_id = $1 and t.session_id = h.order_id
    where h.outcome = 'not_ours' and t.completed_at > h.done_at`;
  return (await query<{ session: string }>(url, text, [environmentId])).map(({ session }) => session);
}

/** The bank's books as they would be if it had never heard of these orders. */
function without({ transfers, sent, spent, faults }: BankBooks, orders: readonly string[]): BankBooks {
  const gone = new Set(orders);
  const moved = transfers.filter(({ order }) => gone.has(order)).reduce((sum, transfer) => sum + transfer.moved, 0);
  return {
    transfers: transfers.filter(({ order }) => !gone.has(order)),
    sent: sent.filter(({ order }) => !gone.has(order)),
    spent: spent + moved,
    faults,
  };
}

function readOperatorToken(home: string): string {
  return readFileSync(join(home, "operator-token"), "utf8").trim();
}

async function readReferences(url: string, environmentId: string): Promise<ReadonlySet<string>> {
  const text = "select reference from transfers where environment_id = $1";
  return new Set((await query<{ reference: string }>(url, text, [environmentId])).map(({ reference }) => reference));
}

const contradictions = await (values.payouts === undefined ? campaign() : restoreMany(Number(values.payouts)));
for (const contradiction of contradictions.slice(0, 50)) console.error(`CONTRADICTION ${contradiction}`);
console.log(`restore campaign: ${contradictions.length === 0 ? "1 passed, 0 failed" : "0 passed, 1 failed"}`);
process.exit(contradictions.length === 0 ? 0 : 1);
