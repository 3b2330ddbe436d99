/**
 * What a merchant's single payout or bill takes beside the backlog of two others, against what it takes alone, in one
 * run. Each figure is the time from the request to the final state, as the merchant sees it by asking.
 */
import { setTimeout as pause } from "node:timers/promises";
import { endRun } from "./end-run.ts";
import { load, requestBytes } from "./load.ts";
import { type Api, apiAt, createPayer, type Payer, readOperatorToken } from "./payers.ts";
import { type Leg, median } from "./report.ts";
import { openStage, type Stage } from "./stage.ts";

const bulkSize = Number(process.env["BENCH_ROWS"] ?? 5_000);
const singles = Number(process.env["BENCH_SINGLES"] ?? 15);
const askEveryMs = 5;

let counter = 0;
const nextReference = (): string => `neighbour-${counter++}`;

interface Trade {
  readonly name: string;
  single(): { readonly path: string; readonly body: Readonly<Record<string, unknown>> };
  /** Where a record of this trade is read. */
  readonly at: string;
  /** Gives a neighbour more to do than a worker finishes while the singles are measured. */
  pileUp(stage: Stage, api: Api, payer: Payer): Promise<void>;
}

const account = { accountNumber: "0123456789", bankCode: "058", amount: 1500 };
const airtime = { network: "MTN", phoneNumber: "08031234567", amount: 100 };

const payouts: Trade = {
  name: "payout",
  at: "/transfers",
  single: () => ({ path: "/transfers", body: { ...account, currency: "NGN", reference: nextReference() } }),
  async pileUp(_stage, api, payer) {
    const transfers = Array.from({ length: bulkSize }, () => ({ ...account, reference: nextReference() }));
    await api.post("/transfers/bulk", payer.key, { batchReference: nextReference(), currency: "NGN", transfers });
  },
};

const bills: Trade = {
  name: "bill",
  at: "/bills",
  single: () => ({ path: "/bills/airtime/vend", body: { ...airtime, reference: nextReference() } }),
  async pileUp(stage, _api, payer) {
    const { path } = bills.single();
    const next = (): Buffer => requestBytes("POST", path, payer.key, JSON.stringify(bills.single().body));
    await load({ port: stage.port, connections: 64, seconds: bulkSize / 1_000, next });
  },
};

const open = ["pending", "processing"];

async function timeSingle(api: Api, payer: Payer, trade: Trade): Promise<number> {
  const { path, body } = trade.single();
  const started = performance.now();
  const { id } = await api.post<{ id: string }>(path, payer.key, body);
  for (;;) {
    const { status } = await api.get<{ status: string }>(`${trade.at}/${id}`, payer.key);
    if (!open.includes(status)) return performance.now() - started;
    await pause(askEveryMs);
  }
}

/** One after the other, for as long as it goes on. */
async function timeSingles(
  api: Api,
  payer: Payer,
  trade: Trade,
  goesOn: () => Promise<boolean> = async () => true,
): Promise<number[]> {
  const times: number[] = [];
  while (times.length < singles && (await goesOn())) times.push(await timeSingle(api, payer, trade));
  return times;
}

async function countOpen(stage: Stage, trade: Trade): Promise<number> {
  const table = trade === payouts ? "transfers" : "bills";
  const found = await stage.admin.query<{ waiting: number }>(
    `select count(*)::integer as waiting from ${table} where completed_at is null`,
  );
  return found.rows[0]?.waiting ?? 0;
}

async function play(stage: Stage, api: Api, trade: Trade, payers: readonly [Payer, Payer, Payer]) {
  const [neighbour, ...busy] = payers;
  await timeSingles(api, neighbour, trade); // warms caches and compilers
  const alone = await timeSingles(api, neighbour, trade);
  const started = performance.now();
  await Promise.all(busy.map((payer) => trade.pileUp(stage, api, payer)));
  const beside = await timeSingles(api, neighbour, trade, async () => (await countOpen(stage, trade)) > 0);
  console.log(`${trade.name}: ${beside.length} singles, ${await countOpen(stage, trade)} still open after them`);
  while ((await countOpen(stage, trade)) > 0) await pause(50);
  console.log(`${trade.name}: backlog done after ${Math.round(performance.now() - started)} ms`);
  const legs: Leg[] = [
    { name: `a ${trade.name} alone`, unit: "ms", values: alone },
    { name: `a ${trade.name} beside two backlogs`, unit: "ms", values: beside },
  ];
  return { legs, goal: { name: `${trade.name}: beside ÷ alone`, value: median(beside) / median(alone), atMost: 3 } };
}

export async function benchNeighbours(): Promise<void> {
  const stage = await openStage({ role: "all" });
  try {
    const api = apiAt(stage.port);
    const newPayer = () => createPayer(api, readOperatorToken(stage.home), 0);
    const payers = [await newPayer(), await newPayer(), await newPayer()] as const;
    const results = [await play(stage, api, payouts, payers), await play(stage, api, bills, payers)];
    const legs = results.flatMap((result) => result.legs);
    const goals = results.map((result) => result.goal);
    endRun("neighbours", legs, goals);
  } finally {
    await stage.close();
  }
}
