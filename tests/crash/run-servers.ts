/**
 * `npm run test:crash:servers -- --kills 20 --seed 42`: two whole servers on one database are killed with -9 in turn
 * while a merchant pays and takes webhooks. Afterwards every event must have arrived, every attempt at it with the same
 * bytes and signed, and payments, rails and ledger must agree. The seed decides when somebody is killed.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { type Client, startClient } from "./client.ts";
import { fund } from "./fund.ts";
import { judge } from "./judge.ts";
import { startLossyProxy } from "./lossy-proxy.ts";
import { type Mailbox, openMailbox } from "./mailbox.ts";
import { createRandom } from "./random.ts";
import { type ServerPair, startServerPair } from "./server-pair.ts";
import { untilDelivered } from "./until-delivered.ts";
import { verify } from "./verify.ts";

const { values } = parseArgs({ options: { kills: { type: "string" }, seed: { type: "string" } } });
const kills = Number(values.kills ?? 20);
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
const patienceMs = 180_000;
/** Each kill finds payments and webhooks under way. */
const paymentsPerKill = 40;
const heldAtKill = 10;
const longestWaitMs = 10_000;
/** Until the system has told us that a killed sender's connections are gone. */
const noticeMs = 100;

async function campaign(): Promise<readonly string[]> {
  console.log(`two servers in turn: ${kills} kills, seed ${seed} (replay with --seed ${seed})`);
  const home = mkdtempSync(join(tmpdir(), "jara-crash-"));
  const [pair, mailbox] = await Promise.all([startServerPair(home), openMailbox(createRandom(seed + 2))]);
  const all = await storm(pair, mailbox).finally(async () => {
    await pair.stop();
    mailbox.close();
  });
  if (all.length === 0) rmSync(home, { recursive: true, force: true });
  else console.error(`The logs are in ${home}`);
  return all;
}

async function storm(pair: ServerPair, mailbox: Mailbox): Promise<readonly string[]> {
  const { ownerUrl, baseUrls, home } = pair;
  const { secretKey } = JSON.parse(readFileSync(join(home, "dev.json"), "utf8"));
  const { environmentId, funded } = await fund(baseUrls[0], secretKey, ownerUrl);
  // What was written before there was an endpoint goes to nobody: the demo merchant's first money, and this one.
  const earlier = new Set(await readEventIds(ownerUrl, environmentId));
  mailbox.trust(await addEndpoint(baseUrls[0], secretKey, mailbox.url));
  const [first, second] = [
    await startLossyProxy(baseUrls[0], createRandom(seed + 3)),
    await startLossyProxy(baseUrls[1], createRandom(seed + 4)),
  ];
  const client = startClient([first.baseUrl, second.baseUrl], secretKey, createRandom(seed + 1));
  const cutOff = await killInTurn(pair, mailbox, client);
  await client.stop();
  first.close();
  second.close();
  const swallowed = first.swallowed() + second.swallowed();
  const waiting = await untilDelivered(ownerUrl, environmentId, patienceMs);
  const events = await readEventIds(ownerUrl, environmentId);
  const wanted = events.filter((id) => !earlier.has(id));
  const { contradictions, counts } = await judge({ ownerUrl, environmentId, funded, client });
  const attempts = [...mailbox.attempts.values()];
  const again = attempts.filter(({ length }) => length > 1).length;
  console.log(`${client.acknowledged.size} payments acknowledged, outcomes ${JSON.stringify(counts)}`);
  console.log(`${wanted.length} events, ${attempts.flat().length} attempts, ${again} events more than once`);
  console.log(`${cutOff} attempts whose sender was killed before the reply`);
  console.log(`${swallowed} replies to payments were swallowed after their commit`);
  return [
    ...(waiting === 0 ? [] : [`${waiting} payments, events and deliveries never came to an end`]),
    ...(again === 0 ? ["nothing happened: no event was sent twice"] : []),
    ...(swallowed === 0 ? ["nothing happened: no reply was swallowed"] : []),
    ...(cutOff === 0 ? ["nothing happened: no sender was killed while it waited"] : []),
    ...mailbox.judge(wanted, new Set(events)),
    ...contradictions,
    ...(await verify(pair)),
  ];
}

/** Returns how many attempts lost their sender before they had a reply: all of them have to come again. */
async function killInTurn(pair: ServerPair, mailbox: Mailbox, client: Client): Promise<number> {
  const random = createRandom(seed);
  let cutOff = 0;
  for (let kill = 1; kill <= kills; kill += 1) {
    const victim = kill % 2 === 0 ? 0 : 1;
    const paid = client.acknowledged.size + paymentsPerKill;
    await until(() => client.acknowledged.size >= paid);
    const replies = mailbox.holdReplies();
    await until(() => replies.count() >= heldAtKill);
    await pause(random.between(0, 300));
    await pair.kill(victim);
    await pause(noticeMs);
    cutOff += replies.release();
    await pair.start(victim);
    console.log(`kill ${kill}: ${client.acknowledged.size} payments, ${mailbox.attempts.size} events so far`);
  }
  return cutOff;
}

async function addEndpoint(baseUrl: string, key: string, url: string): Promise<string> {
  const response = await fetch(`${baseUrl}/webhooks/endpoints`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ url, events: ["*"] }),
  });
  const { data, message } = (await response.json()) as { data: { secret: string }; message: string };
  if (!response.ok) throw new Error(`the endpoint was not taken: ${response.status} ${message}`);
  return data.secret;
}

/** Gives up on a machine that is too slow: what counts is judged at the end. */
async function until(isTrue: () => boolean): Promise<void> {
  const deadline = performance.now() + longestWaitMs;
  while (!isTrue() && performance.now() < deadline) await pause(20);
}

async function readEventIds(ownerUrl: string, environmentId: string): Promise<string[]> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    const found = await owner.query<{ id: string }>("select id from events where environment_id = $1", [environmentId]);
    return found.rows.map(({ id }) => id);
  } finally {
    await owner.end();
  }
}

const contradictions = await campaign();
for (const contradiction of contradictions.slice(0, 50)) console.error(`CONTRADICTION ${contradiction}`);
console.log(`two servers in turn: ${contradictions.length === 0 ? "1 passed, 0 failed" : "0 passed, 1 failed"}`);
process.exit(contradictions.length === 0 ? 0 : 1);
