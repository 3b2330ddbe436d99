/**
 * How fast webhooks are delivered, against what the HTTP client alone gives with the same signed bodies to the same
 * sink; and what endpoints that hang cost the others. Everything in one run on one machine.
 */
import { setTimeout as pause } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { Pool } from "undici";
import { apiAt, readOperatorToken } from "./payers.ts";
import {
  commitEvents,
  countDelivered,
  createReceivers,
  openSink,
  payoutData,
  type Receiver,
  type Sink,
} from "./receivers.ts";
import { type Goal, type Leg, median, printReport, writeReport } from "./report.ts";
import { openStage, type Stage } from "./stage.ts";

const rounds = Number(process.env["BENCH_ROUNDS"] ?? 3);
const endpoints = 20;
const hanging = endpoints / 5;
const perEndpoint = Number(process.env["BENCH_EVENTS"] ?? 1500);
const rawConnections = 64;
const pacedSeconds = Number(process.env["BENCH_SECONDS"] ?? 10);
const pacedEveryMs = 50;

type Figures = Map<string, { unit: string; values: number[] }>;

function note(figures: Figures, name: string, unit: string, value: number): void {
  const figure = figures.get(name) ?? { unit, values: [] };
  figure.values.push(value);
  figures.set(name, figure);
}

/** The same bodies, signed and posted by the client alone: no database, no order, nothing written down. */
async function postRaw(sink: Sink, count: number): Promise<number> {
  const pool = new Pool(`http://127.0.0.1:${sink.port}`, { connections: rawConnections });
  const signer = new Webhook(`whsec_${Buffer.alloc(32, 7).toString("base64")}`);
  const data = payoutData();
  let left = count;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: rawConnections }, async (_, lane) => {
      while (left-- > 0) {
        const id = crypto.randomUUID();
        const now = new Date();
        const event = { id, event: "transfer.completed", created_at: now.toISOString(), environment: "SANDBOX" };
        const body = JSON.stringify({ ...event, resource_version: 1, data });
        const reply = await pool.request({
          method: "POST",
          path: `/ok/${lane}`,
          headers: {
            "content-type": "application/json",
            "webhook-id": id,
            "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
            "webhook-signature": signer.sign(id, now, body),
          },
          body,
        });
        await reply.body.text();
      }
    }),
  );
  const perSecond = count / ((performance.now() - started) / 1000);
  await pool.close();
  return perSecond;
}

/** From the commit of all events until the last delivery to `healthy` is written down. */
async function drain(stage: Stage, all: readonly Receiver[], healthy: readonly Receiver[]): Promise<number> {
  const before = await countDelivered(stage, healthy);
  const wanted = healthy.length * perEndpoint;
  await commitEvents(stage, all, perEndpoint);
  const started = performance.now();
  while ((await countDelivered(stage, healthy)) - before < wanted) {
    await pause(50);
    if (performance.now() - started > 120_000) throw new Error("the deliveries did not end within two minutes");
  }
  return wanted / ((performance.now() - started) / 1000);
}

/** Events at a steady rate, well below what is possible: how long each takes from its commit to the sink. */
async function pace(stage: Stage, sink: Sink, all: readonly Receiver[], healthy: number) {
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
  const delays = [...seen.delaysMs].sort((left, right) => left - right);
  return { p50Ms: median(delays), p99Ms: delays[Math.floor((delays.length - 1) * 0.99)] ?? Number.NaN };
}

type Create = (kinds: readonly ("ok" | "hang")[]) => Promise<Receiver[]>;

/** Warms caches and compilers, of the server and of the client alone. */
async function warmUp(stage: Stage, sink: Sink, create: Create): Promise<void> {
  const receivers = await create(Array.from({ length: endpoints }, () => "ok" as const));
  await postRaw(sink, 5_000);
  await drain(stage, receivers, receivers);
}

async function playRound(stage: Stage, sink: Sink, create: Create, figures: Figures): Promise<void> {
  const healthy = await create(Array.from({ length: endpoints - hanging }, () => "ok" as const));
  const others = await create(Array.from({ length: hanging }, () => "ok" as const));
  note(figures, "(a) raw signed POSTs", "deliveries/s", await postRaw(sink, endpoints * perEndpoint));
  note(
    figures,
    "(b) 20 endpoints",
    "deliveries/s",
    await drain(stage, [...healthy, ...others], [...healthy, ...others]),
  );
  note(figures, "(c) 16 endpoints alone", "deliveries/s", await drain(stage, healthy, healthy));
  const still = await pace(stage, sink, healthy, healthy.length);
  note(figures, "(d) commit to arrival, p99", "ms", still.p99Ms);
  const stuck = await create(Array.from({ length: hanging }, () => "hang" as const));
  note(figures, "(c) the same beside 4 that hang", "deliveries/s", await drain(stage, [...healthy, ...stuck], healthy));
  const beside = await pace(stage, sink, [...healthy, ...stuck], healthy.length);
  note(figures, "(d) the same beside 4 that hang, p50", "ms", beside.p50Ms);
  note(figures, "(d) the same beside 4 that hang, p99", "ms", beside.p99Ms);
  const api = apiAt(stage.port);
  // Deleted, so that their retries do not play into the next round.
  for (const { key, endpointIds } of stuck)
    for (const id of endpointIds) await api.remove(`/webhooks/endpoints/${id}`, key);
}

function goalsOf(figures: Figures): Goal[] {
  const of = (name: string): number => median(figures.get(name)?.values ?? []);
  return [
    {
      name: "20 endpoints ÷ raw signed POSTs",
      value: of("(b) 20 endpoints") / of("(a) raw signed POSTs"),
      atLeast: 0.6,
    },
    {
      name: "16 endpoints beside 4 that hang ÷ alone",
      value: of("(c) the same beside 4 that hang") / of("(c) 16 endpoints alone"),
      atLeast: 0.95,
    },
    {
      name: "commit to arrival beside 4 that hang, p99 ms",
      value: of("(d) the same beside 4 that hang, p99"),
      atMost: 1000,
    },
  ];
}

export async function benchWebhooks(): Promise<void> {
  const stage = await openStage({ role: "all" });
  const sink = await openSink();
  try {
    const figures: Figures = new Map();
    const create: Create = (kinds) =>
      createReceivers(apiAt(stage.port), readOperatorToken(stage.home), sink.port, kinds);
    await warmUp(stage, sink, create);
    for (let round = 1; round <= rounds; round += 1) {
      console.log(`round ${round} of ${rounds}`);
      await playRound(stage, sink, create, figures);
    }
    const legs: Leg[] = [...figures].map(([name, figure]) => ({ name, ...figure }));
    const goals = goalsOf(figures);
    printReport(legs, goals);
    console.log(`\nChart and figures: ${writeReport("webhooks", legs, goals)}`);
  } finally {
    sink.close();
    await stage.close();
  }
}
