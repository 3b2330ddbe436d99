/**
 * How fast records are read, against a GET that passes every hook and then does nothing; filtered lists in a long list
 * against a short one; and how fast a long statement streams as CSV.
 *
 *   BENCH_ROWS     payouts in the long list, a million unless named
 *   BENCH_LINES    lines of the statement, a million unless named
 *   BENCH_SECONDS  length of a leg, 3 unless named; BENCH_ROUNDS, 3 unless named
 */
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { memoryOf } from "./cost.ts";
import { endRun } from "./end-run.ts";
import { fillPayoutList } from "./fill-payouts.ts";
import { fillStatement } from "./fill-statement.ts";
import { load, requestBytes } from "./load.ts";
import { apiAt, createPayer, type Payer, readOperatorToken } from "./payers.ts";
import { type Goal, type Leg, median } from "./report.ts";
import { openStage, type Stage } from "./stage.ts";

const seconds = Number(process.env["BENCH_SECONDS"] ?? 3);
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 3);
const long = Number(process.env["BENCH_ROWS"] ?? 1_000_000);
const lines = Number(process.env["BENCH_LINES"] ?? 1_000_000);
const short = 10_000;
const connections = 64;

const day = 24 * 60 * 60 * 1000;
const span = `from=${new Date(Date.now() - day).toISOString().slice(0, 10)}`;
const filters = {
  status: "status=completed",
  "from a day on": span,
  both: `status=completed&${span}`,
  "a status that few have": "status=failed",
} as const;

type Figures = Map<string, Leg & { readonly values: number[] }>;

export async function benchReads(): Promise<void> {
  const stage = await openStage();
  try {
    const api = apiAt(stage.port);
    const token = readOperatorToken(stage.home);
    const [few, many] = [await createPayer(api, token, 0), await createPayer(api, token, 0)];
    await fillPayoutList(stage, few, short);
    await fillPayoutList(stage, many, long);
    await fillStatement(stage, many, lines);
    const figures: Figures = new Map();
    const one = await api.post<{ id: string; reference: string }>("/transfers", many.key, {
      accountNumber: "0123456789",
      bankCode: "058",
      amount: 1500,
      currency: "NGN",
      reference: "read-again-and-again",
    });
    for (let round = 0; round < rounds; round += 1) {
      await playReads(stage, many, one, figures);
      for (const payer of [few, many]) await playFilters(stage, payer, payer === few ? short : long, figures);
    }
    await playStatement(stage, many, figures);
    endRun("reads", [...figures.values()], goalsOf(figures));
  } finally {
    await stage.close();
  }
}

function note(figures: Figures, name: string, unit: string, value: number): void {
  const figure = figures.get(name) ?? { name, unit, values: [] };
  figure.values.push(value);
  figures.set(name, figure);
}

const nothing = "GET that does nothing";

async function playReads(stage: Stage, payer: Payer, one: { id: string; reference: string }, figures: Figures) {
  const paths = {
    [nothing]: "/bench/nothing",
    "a payout by its id": `/transfers/${one.id}`,
    "a payout by its reference": `/transfers/verify?reference=${one.reference}`,
    "the balance": "/wallets/balance",
    "a list of ten": "/transfers?limit=10",
  };
  for (const [name, path] of Object.entries(paths)) {
    const bytes = requestBytes("GET", path, payer.key);
    const result = await load({ port: stage.port, connections, seconds, next: () => bytes });
    if (Object.keys(result.statuses).join() !== "200") throw new Error(`${path}: ${JSON.stringify(result.statuses)}`);
    note(figures, name, "requests/s", result.perSecond);
  }
}

async function playFilters(stage: Stage, payer: Payer, rows: number, figures: Figures): Promise<void> {
  for (const [name, query] of Object.entries(filters)) {
    const bytes = requestBytes("GET", `/transfers?limit=10&${query}`, payer.key);
    const result = await load({ port: stage.port, connections: 1, seconds: 1, next: () => bytes });
    note(figures, filtered(name, rows), "ms", result.p50Ms);
  }
}

const filtered = (name: string, rows: number): string => `list by ${name}, ${rows.toLocaleString("en")}`;

const memory = "memory after a statement ÷ after a tenth of it";

async function playStatement(stage: Stage, payer: Payer, figures: Figures): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now();
    let received = 0;
    let early: number | undefined;
    for await (const chunk of await openStatement(stage, payer)) {
      received += countLines(chunk);
      if (received > lines / 10) early ??= memoryOf(stage);
    }
    const seconds = (performance.now() - started) / 1000;
    if (received < lines || early === undefined) throw new Error(`the statement ended after ${received} lines`);
    note(figures, "a statement as CSV", "lines/s", received / seconds);
    note(figures, memory, "", memoryOf(stage) / early);
  }
}

/** Read as cheaply as it goes: who reads shares the processors with whoever is measured. */
async function openStatement({ port }: Stage, { key }: Payer): Promise<AsyncIterable<Buffer>> {
  const headers = { authorization: `Bearer ${key}`, accept: "text/csv" };
  const request = get({ host: "127.0.0.1", port, path: "/wallets/transactions", headers });
  const [reply] = (await once(request, "response")) as [IncomingMessage];
  if (reply.statusCode !== 200) throw new Error(`the statement was refused with ${reply.statusCode}`);
  return reply;
}

function countLines(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) count += 1;
  return count;
}

function goalsOf(figures: Figures): Goal[] {
  const of = (name: string): number => median(figures.get(name)?.values ?? []);
  const reads = ["a payout by its id", "a payout by its reference", "the balance", "a list of ten"];
  return [
    ...reads.map((name) => ({ name: `${name} ÷ nothing`, value: of(name) / of(nothing), atLeast: 0.5 })),
    ...Object.keys(filters).map((name) => ({
      name: `list by ${name}: long ÷ short`,
      value: of(filtered(name, long)) / of(filtered(name, short)),
      atMost: 3,
    })),
    { name: "lines of a statement a second", value: of("a statement as CSV"), atLeast: 100_000 },
    { name: memory, value: of(memory), atMost: 1.1 },
  ];
}
