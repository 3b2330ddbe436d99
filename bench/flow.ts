/**
 * Orders on their way from the request to the received webhook. A closed loop has a number of them under way and sends
 * the next one when one has ended; an open loop sends at a fixed rate, and counts from when a request was due, whether
 * or not it could be sent then.
 */
import { setTimeout as pause } from "node:timers/promises";
import { load } from "./load.ts";
import type { Payer } from "./payers.ts";
import type { Sink } from "./receivers.ts";
import { percentile } from "./report.ts";
import type { Trade } from "./trades.ts";

export interface Flow {
  readonly accepted: number;
  readonly seconds: number;
  /** Ended within the time of sending, by second. */
  readonly perSecond: number;
  /** The same for each tenth of the time. */
  readonly tenths: readonly number[];
  /** From request to webhook. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly acceptP99Ms: number;
}

export interface FlowOptions {
  readonly port: number;
  readonly trade: Trade;
  readonly payers: readonly Payer[];
  readonly seconds: number;
  /** Requests at most; what they make is waited for, however long it takes. */
  readonly atMost: number;
}

/** When the next request may go out, when it was due, and over how many connections, if not the trade's. */
interface Pace {
  turn(): Promise<void>;
  due(): number;
  readonly connections?: number;
}

/** Only accepts; nothing works in the background, so nothing comes back. */
export async function accept(options: FlowOptions): Promise<{ accepted: number; perSecond: number }> {
  const started = performance.now();
  const { requests } = await send(options, { turn: async () => undefined, due: Date.now });
  const accepted = requests * options.trade.perRequest;
  return { accepted, perSecond: accepted / ((performance.now() - started) / 1000) };
}

export async function flow(options: FlowOptions, sink: Sink, rate: number | "closed"): Promise<Flow> {
  const { trade } = options;
  await sink.report("reset");
  const started = Date.now();
  const pace = rate === "closed" ? closedLoop(trade, sink) : openLoop(rate / trade.perRequest, trade.connections);
  const sent = await send(options, pace);
  const accepted = sent.requests * trade.perRequest;
  await waitFor(sink, accepted);
  const { delaysMs, atMs } = await sink.report("report");
  const seconds = sent.requests < options.atMost ? options.seconds : ((atMs.at(-1) ?? 0) - started) / 1000;
  const tenths = Array.from({ length: 10 }, () => 0);
  for (const at of atMs) {
    const tenth = Math.floor((at - started) / (seconds * 100));
    if (tenth < 10) tenths[tenth] = (tenths[tenth] ?? 0) + 10 / seconds;
  }
  return {
    accepted,
    seconds,
    perSecond: tenths.reduce((sum, tenth) => sum + tenth, 0) / 10,
    tenths,
    p50Ms: percentile(delaysMs, 0.5),
    p99Ms: percentile(delaysMs, 0.99),
    acceptP99Ms: sent.p99Ms,
  };
}

async function send({ port, trade, payers, seconds, atMost }: FlowOptions, { turn, due, connections }: Pace) {
  let sent = 0;
  const next = (): Buffer => {
    const payer = payers[sent++ % payers.length];
    if (payer === undefined) throw new Error("nobody pays");
    return trade.request(payer, due());
  };
  let taken = 0;
  const inTurn = async (): Promise<boolean> => {
    if (taken++ >= atMost) return false;
    await turn();
    return true;
  };
  const result = await load({ port, connections: connections ?? trade.connections, seconds, next, turn: inTurn });
  if (result.statuses["201"] !== result.requests) {
    throw new Error(`unexpected answers: ${JSON.stringify(result.statuses)}`);
  }
  return result;
}

/** How often a sender looks whether an order has ended; the sink tells us at the same distance. */
const lookEveryMs = 5;

function closedLoop({ inFlight, perRequest }: Trade, sink: Sink): Pace {
  let sent = 0;
  const turn = async (): Promise<void> => {
    while (sent - sink.arrived() > inFlight - perRequest) await pause(lookEveryMs);
    sent += perRequest;
  };
  return { turn, due: Date.now };
}

/** At a fixed rate nobody may wait for a connection: one slow moment would hold up all that follow. */
const spareConnections = 4;

function openLoop(requestsPerSecond: number, connections: number): Pace {
  const started = Date.now();
  let taken = 0;
  const dueTimes: number[] = [];
  const turn = async (): Promise<void> => {
    const dueAt = started + (taken++ / requestsPerSecond) * 1000;
    if (dueAt > Date.now()) await pause(dueAt - Date.now());
    dueTimes.push(dueAt);
  };
  return { turn, due: () => dueTimes.shift() ?? Date.now(), connections: spareConnections * connections };
}

const longestSilenceMs = 60_000;

async function waitFor(sink: Sink, wanted: number): Promise<void> {
  let [seen, since] = [sink.arrived(), performance.now()];
  while (seen < wanted) {
    await pause(50);
    if (sink.arrived() > seen) [seen, since] = [sink.arrived(), performance.now()];
    if (performance.now() - since > longestSilenceMs) throw new Error(`${wanted - seen} webhooks did not arrive`);
  }
}
