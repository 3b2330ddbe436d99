/**
 * How fast webhooks are delivered, against what the HTTP client alone gives with bodies of the same size, signed the
 * same way, to the same sink; what endpoints that hang cost the others; and what a delivery costs the database.
 * Everything in one run on one machine, one after the other in turns, at 1, 20 and 1,000 endpoints.
 */
import { setTimeout as pause } from "node:timers/promises";
import { endRun } from "./end-run.ts";
import { type Cost, costSince, readMeter, watchCosts } from "./meter.ts";
import { apiAt, readOperatorToken } from "./payers.ts";
import { postRaw } from "./raw-posts.ts";
import {
  commitEvents,
  commitNumberedEvents,
  countDelivered,
  createReceivers,
  isAllSettled,
  openSink,
  type Receiver,
  type Sink,
} from "./receivers.ts";
import { type Goal, type Leg, median, percentile } from "./report.ts";
import { openStage, type Stage } from "./stage.ts";

const rounds = Number(process.env["BENCH_ROUNDS"] ?? 3);
const crowds = (process.env["BENCH_ENDPOINTS"] ?? "1,20,1000").split(",").map(Number);
/** In one leg, of all endpoints together: enough that what begins and ends a leg hardly counts. */
const deliveries = Number(process.env["BENCH_EVENTS"] ?? 40_000);
const pacedSeconds = Number(process.env["BENCH_SECONDS"] ?? 10);
const pacedEveryMs = 50;
/** So many endpoints have one that hangs among them. */
const oneHangsOf = 5;
const hangsEnough = 4;
/** In this time the last failures are written down. */
const afterwardsMs = 3_000;

interface Play {
  readonly stage: Stage;
  readonly sink: Sink;
  readonly figures: Map<string, { unit: string; values: number[] }>;
  create(kinds: readonly ("ok" | "hang")[]): Promise<Receiver[]>;
}

function note({ figures }: Play, name: string, unit: string, value: number): void {
  const figure = figures.get(name) ?? { unit, values: [] };
  figure.values.push(value);
  figures.set(name, figure);
}

/** From the commit of all events until the last delivery to `healthy` is written down. */
async function drain(
  { stage, sink }: Play,
  each: number,
  healthy: readonly Receiver[],
  { others = [], commit = commitEvents }: { others?: readonly Receiver[]; commit?: typeof commitEvents } = {},
): Promise<Cost & { readonly perSecond: number }> {
  const wanted = healthy.length * each;
  const before = await countDelivered(stage, healthy);
  await sink.report("reset");
  await commit(stage, [...healthy, ...others], each);
  const meter = await readMeter(stage);
  const started = performance.now();
  // The sink is asked and not the database, which has enough to do.
  while (sink.arrived() < wanted) await pauseUntil(started);
  while (!(await isAllSettled(stage, healthy))) await pauseUntil(started);
  const perSecond = wanted / ((performance.now() - started) / 1000);
  const cost = await costSince(stage, meter, wanted);
  const delivered = (await countDelivered(stage, healthy)) - before;
  if (delivered !== wanted) throw new Error(`${delivered} of ${wanted} deliveries were written down`);
  return { perSecond, ...cost };
}

async function pauseUntil(started: number): Promise<void> {
  await pause(10);
  if (performance.now() - started > 120_000) throw new Error("the deliveries did not end within two minutes");
}

/** Events at a steady rate, well below what is possible: how long each takes from its commit to the sink. */
async function pace({ stage, sink }: Play, all: readonly Receiver[], healthy: number) {
  await sink.report("reset");
  const batches = Math.floor((pacedSeconds * 1000) / pacedEveryMs);
  const started = performance.now();
  for (let batch = 0; batch < batches; batch += 1) {
    await pause(Math.max(0, started + batch * pacedEveryMs - performance.now()));
    await commitEvents(stage, all, 1, Date.now());
  }
  const wanted = batches * healthy;
  let seen = await sink.report("report");
  for (let tries = 0; seen.arrived < wanted && tries < 200; tries += 1) {
    await pause(50);
    seen = await sink.report("report");
  }
  if (seen.arrived < wanted) throw new Error(`${wanted - seen.arrived} of ${wanted} deliveries did not arrive`);
  return { p50Ms: median(seen.delaysMs), p99Ms: percentile(seen.delaysMs, 0.99) };
}

const rawName = "raw signed POSTs";
const nameOf = (endpoints: number): string => `${endpoints} endpoints`;
const numberedLaterName = (endpoints: number): string => `${nameOf(endpoints)}, numbered after their commit`;
const aloneName = (endpoints: number): string => `the healthy of ${endpoints}, alone`;
const besideName = (endpoints: number): string => `the healthy of ${endpoints}, beside those that hang`;

/** The client alone before and after, ours between. */
async function playBesideRaw(
  play: Play,
  name: string,
  each: number,
  all: readonly Receiver[],
  commit: typeof commitEvents,
): Promise<void> {
  const raw = [await postRaw(play.sink, deliveries / 2)];
  const whole = await drain(play, each, all, { commit });
  raw.push(await postRaw(play.sink, deliveries / 2));
  const client = raw.length / raw.reduce((sum, { perSecond }) => sum + 1 / perSecond, 0);
  note(play, rawName, "deliveries/s", client);
  for (const { clientCpuMs, sinkCpuMs } of raw) {
    note(play, `${rawName}: CPU of the client`, "ms", clientCpuMs);
    note(play, `${rawName}: CPU of the sink`, "ms", sinkCpuMs);
  }
  note(play, name, "deliveries/s", whole.perSecond);
  note(play, `${name} ÷ ${rawName}`, "", whole.perSecond / client);
  note(play, `${name}: CPU of the server`, "ms", whole.serverCpuMs);
  note(play, `${name}: CPU of PostgreSQL`, "ms", whole.postgresCpuMs);
  note(play, `${name}: WAL a delivery`, "bytes", whole.walBytes);
  note(play, `${name}: commits a delivery`, "", whole.commits);
  note(play, `${name}: round trips a delivery`, "", whole.roundTrips);
  note(play, `${name}: rows read by scans of a table`, "", whole.scannedRows);
}

/** One crowd of endpoints in one round. */
async function playCrowd(play: Play, all: readonly Receiver[], stuck: readonly Receiver[]): Promise<void> {
  const endpoints = all.length;
  const each = Math.ceil(deliveries / endpoints);
  await playBesideRaw(play, nameOf(endpoints), each, all, commitNumberedEvents);
  await playBesideRaw(play, numberedLaterName(endpoints), each, all, commitEvents);
  if (endpoints < oneHangsOf) return;
  const healthy = all.slice(stuck.length);
  const alone = await drain(play, each, healthy);
  const beside = await drain(play, each, healthy, { others: stuck });
  const aloneAgain = await drain(play, each, healthy);
  const undisturbed = 2 / (1 / alone.perSecond + 1 / aloneAgain.perSecond);
  note(play, aloneName(endpoints), "deliveries/s", undisturbed);
  note(play, besideName(endpoints), "deliveries/s", beside.perSecond);
  note(play, `${besideName(endpoints)} ÷ alone`, "", beside.perSecond / undisturbed);
}

async function playRound(play: Play, endpoints: number, all: readonly Receiver[]): Promise<void> {
  const stuck = await play.create(Array.from({ length: Math.floor(endpoints / oneHangsOf) }, () => "hang" as const));
  await playCrowd(play, all, stuck);
  if (stuck.length === hangsEnough) {
    const healthy = all.slice(stuck.length);
    const beside = await pace(play, [...healthy, ...stuck], healthy.length);
    note(play, "commit to arrival beside 4 that hang, p50", "ms", beside.p50Ms);
    note(play, "commit to arrival beside 4 that hang, p99", "ms", beside.p99Ms);
  }
  const api = apiAt(play.stage.port);
  // Deleted, so that their retries do not play into the next round.
  for (const { key, endpointIds } of stuck)
    for (const id of endpointIds) await api.remove(`/webhooks/endpoints/${id}`, key);
  await untilNothingHangs(play.sink);
}

/** What hangs holds places of the sender until it gives up, and each failure is written down: not in the next leg. */
async function untilNothingHangs(sink: Sink): Promise<void> {
  const started = performance.now();
  while ((await sink.report("report")).hanging > 0) await pauseUntil(started);
  await pause(afterwardsMs);
}

function goalsOf({ figures }: Play): Goal[] {
  const of = (name: string): number => median(figures.get(name)?.values ?? []);
  const all = crowds.flatMap((endpoints): Goal[] => {
    const cost = `${besideName(endpoints)} ÷ alone`;
    const goals: Goal[] = [nameOf(endpoints), numberedLaterName(endpoints)].map((name) => {
      const ratio = `${name} ÷ ${rawName}`;
      return { name: ratio, value: of(ratio), atLeast: 0.45 };
    });
    if (figures.has(cost)) goals.push({ name: cost, value: of(cost), atLeast: 0.9 });
    return goals;
  });
  const latency = "commit to arrival beside 4 that hang, p99";
  return figures.has(latency) ? [...all, { name: `${latency} ms`, value: of(latency), atMost: 1000 }] : all;
}

export async function benchWebhooks(): Promise<void> {
  const stage = await openStage({ role: "all", settings: watchCosts });
  const sink = await openSink();
  try {
    const token = readOperatorToken(stage.home);
    const play: Play = {
      stage,
      sink,
      figures: new Map(),
      create: (kinds) => createReceivers(apiAt(stage.port), token, sink.port, kinds),
    };
    const receivers = await play.create(Array.from({ length: Math.max(...crowds) }, () => "ok" as const));
    // Warms caches and compilers, of the server and of the client alone.
    await postRaw(sink, 5_000);
    await drain(play, Math.ceil(5_000 / receivers.length), receivers);
    for (let round = 1; round <= rounds; round += 1) {
      for (const endpoints of crowds) {
        console.log(`round ${round} of ${rounds}, ${endpoints} endpoints`);
        await playRound(play, endpoints, receivers.slice(0, endpoints));
      }
    }
    const legs: Leg[] = [...play.figures].map(([name, figure]) => ({ name, ...figure }));
    const goals = goalsOf(play);
    endRun("webhooks", legs, goals);
  } finally {
    sink.close();
    await stage.close();
  }
}
