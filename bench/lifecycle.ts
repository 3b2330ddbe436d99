/**
 * The whole life of an order: accepted, sent to its rail, ended, announced by a signed webhook that was received. Set
 * against acceptance alone, in one run on one machine. The ledger is verified after each leg.
 *
 *   BENCH_TRADE      payouts (default), bills, bulk
 *   BENCH_WORKER     same (in the server's process), apart (a process of its own); both unless one is named
 *   BENCH_SANDBOXES  1,10 unless named
 *   BENCH_SECONDS    length of a loop, 20 unless named; 600 shows whether it decays
 *   BENCH_OPEN_SECONDS  length of the open loop, if it is another
 *   BENCH_RATE       orders a second in the open loop; four fifths of what the closed loop reached unless named
 *   BENCH_CONNECTIONS  callers at the same time, 64 unless named
 *   BENCH_REQUESTS   at most so many requests in a loop: 100 for bulks of 1,000
 *   BENCH_ROWS       so many payouts are over and done with before the first leg
 *   BENCH_PROFILE    names a file for the statements that took most of the database's time, and for the tables and
 *                    indexes that wrote most of its log
 */
import { setTimeout as pause } from "node:timers/promises";
import { verifyLedger } from "../server/src/ledger/verify.ts";
import { readEnvironment } from "../server/src/platform/database/database.ts";
import { type Cost, memoryOf, startMeter } from "./cost.ts";
import { endRun } from "./end-run.ts";
import { fillPayouts } from "./fill-payouts.ts";
import { accept, type Flow, type FlowOptions, flow } from "./flow.ts";
import { type Api, apiAt, createPayer, type Payer, readOperatorToken } from "./payers.ts";
import { openSink, type Sink } from "./receivers.ts";
import type { Goal, Leg } from "./report.ts";
import { openStage, type Stage, type StageRole } from "./stage.ts";
import { readSteps, type Steps } from "./steps.ts";
import { type Trade, trades } from "./trades.ts";
import { writeProfile } from "./write-profile.ts";

const seconds = Number(process.env["BENCH_SECONDS"] ?? 20);
const openSeconds = Number(process.env["BENCH_OPEN_SECONDS"] ?? seconds);
const acceptSeconds = Math.min(seconds, 5);
const workers = (process.env["BENCH_WORKER"] ?? "same,apart").split(",");
const sandboxCounts = (process.env["BENCH_SANDBOXES"] ?? "1,10").split(",").map(Number);
const wantedRate = Number(process.env["BENCH_RATE"] ?? Number.NaN);
const atMost = Number(process.env["BENCH_REQUESTS"] ?? Number.POSITIVE_INFINITY);
if (wantedRate <= 0) throw new Error("BENCH_RATE is above 0");
const rows = Number(process.env["BENCH_ROWS"] ?? 0);
const profile = process.env["BENCH_PROFILE"];

interface Play {
  readonly stage: Stage;
  readonly sink: Sink;
  readonly trade: Trade;
  readonly payers: readonly Payer[];
}

export async function benchLifecycle(): Promise<void> {
  const trade = trades[process.env["BENCH_TRADE"] ?? "payouts"];
  if (trade === undefined) throw new Error(`BENCH_TRADE is one of: ${Object.keys(trades).join(", ")}`);
  const settings = profile === undefined ? {} : { shared_preload_libraries: "pg_stat_statements" };
  const stage = await openStage({ settings });
  const sink = await openSink();
  try {
    const legs: Leg[] = [];
    const goals: Goal[] = [];
    if (profile !== undefined) await stage.admin.query("create extension pg_stat_statements");
    for (const sandboxes of sandboxCounts) {
      await stage.serve("api");
      const payers = await createPayers(apiAt(stage.port), stage, sink, trade, sandboxes);
      if (rows > 0 && legs.length === 0) await fillPayouts(stage, payers, rows);
      for (const worker of workers) {
        const name = `${sandboxes} sandbox${sandboxes === 1 ? "" : "es"}, worker ${worker}`;
        const played = await play({ stage, sink, trade, payers }, worker === "same" ? "all" : "apart", name);
        legs.push(...played.legs);
        goals.push(...played.goals);
      }
    }
    endRun("lifecycle", legs, goals);
    if (profile !== undefined) await writeProfile(stage, profile);
  } finally {
    sink.close();
    await stage.close();
  }
}

function createPayers(api: Api, stage: Stage, sink: Sink, { event }: Trade, count: number): Promise<Payer[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const payer = await createPayer(api, readOperatorToken(stage.home), 0);
      const url = `http://localhost:${sink.port}/ok/${index}`;
      await api.post("/webhooks/endpoints", payer.key, { url, events: [event] });
      return payer;
    }),
  );
}

async function play(on: Play, role: StageRole, name: string): Promise<{ legs: Leg[]; goals: Goal[] }> {
  const { stage, sink, trade, payers } = on;
  const options: FlowOptions = { port: stage.port, trade, payers, seconds: acceptSeconds, atMost };
  console.log(`\n=== ${name}`);
  await stage.serve("api");
  await accept({ ...options, seconds: 1 }); // warms caches and compilers
  await sink.report("reset");
  const alone = await accept(options);
  await verify(on);
  console.log(`acceptance alone: ${Math.round(alone.perSecond)}/s`);
  const drained = await drain(on, role);
  console.log(`backlog of ${drained.count} ended at ${Math.round(drained.perSecond)}/s`);
  const closed = await loop(on, { ...options, seconds }, "closed");
  const rate = Number.isNaN(wantedRate) ? closed.flow.perSecond * 0.8 : wantedRate;
  const open = await loop(on, { ...options, seconds: openSeconds }, rate);
  return {
    legs: [
      leg(`${name}: acceptance alone`, "orders/s", alone.perSecond),
      leg(`${name}: backlog`, "orders/s", drained.perSecond),
      leg(`${name}: closed loop`, "orders/s", ...closed.flow.tenths),
      leg(`${name}: open loop`, "orders/s", ...open.flow.tenths),
    ],
    goals: goalsOf(name, alone.perSecond, closed, open),
  };
}

function leg(name: string, unit: string, ...values: number[]): Leg {
  return { name, unit, values };
}

/** The orders that were accepted while nobody worked. */
async function drain(on: Play, role: StageRole): Promise<{ count: number; perSecond: number }> {
  const { stage, sink, trade } = on;
  const count = await countOpen(stage, trade);
  const started = performance.now();
  await stage.serve(role);
  // The sink is asked first: to count what is open reads the whole table.
  while (sink.arrived() < count || (await countOpen(stage, trade)) > 0) await pause(100);
  await verify(on);
  return { count, perSecond: count / ((performance.now() - started) / 1000) };
}

async function countOpen(stage: Stage, { table }: Trade): Promise<number> {
  const found = await stage.admin.query<{ open: number }>(
    `select count(*)::integer as open from ${table} where completed_at is null`,
  );
  return found.rows[0]?.open ?? 0;
}

async function verify({ stage, payers }: Play): Promise<void> {
  for (const { environmentId } of payers) {
    const differences = await readEnvironment(stage.db, environmentId, verifyLedger);
    if (differences.length > 0) throw new Error(`the ledger does not add up: ${JSON.stringify(differences[0])}`);
  }
}

interface Played {
  readonly flow: Flow;
  readonly cost: Cost;
  readonly steps: Steps;
  /** Megabytes after the second tenth, unless all requests were sent before it, and at the end. */
  readonly memory: readonly [number | undefined, number];
}

async function loop(on: Play, options: FlowOptions, rate: number | "closed"): Promise<Played> {
  const { stage, sink, trade } = on;
  const others = { sink: sink.processId };
  const since = new Date();
  const readCost = await startMeter(stage, others);
  let settled: number | undefined;
  const look = setTimeout(() => {
    settled = memoryOf(stage);
  }, options.seconds * 200);
  const flown = await flow(options, sink, rate);
  clearTimeout(look);
  const memory = [settled, memoryOf(stage)] as const;
  const cost = await readCost();
  const steps = await readSteps(stage, trade, since, flown.seconds);
  if ((await countOpen(stage, trade)) > 0) throw new Error("an order was announced and is open");
  await verify(on);
  const played = { flow: flown, cost, steps, memory };
  printLoop(rate === "closed" ? "closed loop" : `open loop at ${Math.round(rate)}/s`, played);
  return played;
}

function goalsOf(name: string, acceptedAlone: number, closed: Played, open: Played): Goal[] {
  const { tenths, perSecond, accepted } = closed.flow;
  const { walBytes, fullPageShare, fsyncs } = closed.cost;
  const [settled, atEnd] = closed.memory;
  const goals: Goal[] = [
    { name: `${name}: whole ÷ acceptance`, value: perSecond / acceptedAlone, atLeast: 0.3 },
    { name: `${name}: whole, a second`, value: perSecond, atLeast: 1000 },
    { name: `${name}: last ÷ second tenth`, value: (tenths[9] ?? 0) / (tenths[1] ?? 0), atLeast: 0.95 },
    { name: `${name}: p99 ms at 80 %`, value: open.flow.p99Ms, atMost: 2000 },
    { name: `${name}: WAL, full pages apart`, value: (walBytes * (1 - fullPageShare)) / accepted, atMost: 6500 },
    { name: `${name}: fsyncs each`, value: fsyncs / accepted, atMost: 0.1 },
  ];
  if (settled === undefined) return goals;
  return [...goals, { name: `${name}: memory at the end`, value: atEnd / settled, atMost: 1.1 }];
}

function printLoop(name: string, { flow: flown, cost, steps, memory }: Played): void {
  const each = (value: number): string => (value / flown.accepted).toPrecision(3);
  const own = cost.walBytes * (1 - cost.fullPageShare);
  console.log(`${name}: ${Math.round(flown.perSecond)}/s over ${Math.round(flown.seconds)} s`);
  console.log(`  by tenths         ${flown.tenths.map(Math.round).join(" ")}`);
  console.log(`  request → webhook p50 ${Math.round(flown.p50Ms)} ms, p99 ${Math.round(flown.p99Ms)} ms`);
  console.log(`  request → reply   p99 ${Math.round(flown.acceptP99Ms)} ms`);
  for (const { step, perSecond, p50Ms, p99Ms } of steps) {
    console.log(
      `  ${step.padEnd(17)} ${Math.round(perSecond)}/s, p50 ${Math.round(p50Ms)} ms, p99 ${Math.round(p99Ms)} ms`,
    );
  }
  console.log(`  each              ${each(own)} bytes of WAL, ${each(cost.walBytes - own)} more in full pages`);
  console.log(`                    ${each(cost.fsyncs)} fsyncs, ${each(cost.transactions)} transactions`);
  const cpu = Object.entries(cost.cpu).map(([part, spent]) => `${part} ${each(spent * 1000)}`);
  console.log(`                    processor, ms: ${cpu.join(", ")}`);
  console.log(`                    ${Math.round(cost.stolenShare * 100)} % of all processor time kept by the host`);
  console.log(
    `  memory, MB        ${memory.map((megabytes) => (megabytes === undefined ? "?" : Math.round(megabytes))).join(" → ")}`,
  );
  for (const table of cost.tables) {
    const { updates, hotUpdates, seqRows, seqScans, deadRows } = table;
    if (updates + seqRows < flown.accepted / 2) continue;
    const hot =
      updates === 0 ? "" : `${each(updates)} updates each, ${Math.round((100 * hotUpdates) / updates)} % HOT, `;
    console.log(`  ${table.name}: ${hot}${deadRows} dead, ${seqScans} seq scans of ${seqRows} rows`);
  }
}
