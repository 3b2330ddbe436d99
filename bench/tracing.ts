/**
 * What traces cost those who have none: payouts are accepted in turn by a server from which every line about traces was
 * taken, by one as it comes, and by one that has loaded the SDK and keeps no trace. All on one database, in one run.
 */
import { join } from "node:path";
import { cpuMsOf } from "./cpu.ts";
import { endRun } from "./end-run.ts";
import { load, requestBytes } from "./load.ts";
import { apiAt, createPayer, type Payer, readOperatorToken } from "./payers.ts";
import { type Leg, median } from "./report.ts";
import { openStage } from "./stage.ts";

const rounds = Number(process.env["BENCH_ROUNDS"] ?? 7);
const seconds = 4;
const connections = 32;

let counter = 0;

function nextPayout({ key }: Payer): Buffer {
  const body = { accountNumber: "0123456789", bankCode: "058", amount: 1500, currency: "NGN" };
  return requestBytes("POST", "/transfers", key, JSON.stringify({ ...body, reference: `traced-${counter++}` }));
}

const sampledNever = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9", OTEL_TRACES_SAMPLER: "always_off" };

export async function benchTracing(): Promise<void> {
  const stage = await openStage();
  try {
    const bare = ["--import", join(import.meta.dirname, "without-tracing.ts")];
    const servers = [
      { name: "without a line about traces", ...(await stage.beside({ execArgv: bare })) },
      { name: "off, as it comes", port: stage.port, processId: stage.serverProcessId },
      { name: "SDK loaded, no trace kept", ...(await stage.beside({ env: sampledNever })) },
    ];
    const payer = await createPayer(apiAt(stage.port), readOperatorToken(stage.home), 0);
    const accepted = new Map<string, number[]>();
    const computed = new Map<string, number[]>();
    for (let round = -1; round < rounds; round += 1) {
      for (const { name, port, processId } of inTurn(servers, round)) {
        const began = cpuMsOf(processId);
        const { perSecond, requests } = await load({ port, connections, seconds, next: () => nextPayout(payer) });
        // The first round warms all of them up.
        if (round < 0) continue;
        accepted.set(name, [...(accepted.get(name) ?? []), perSecond]);
        computed.set(name, [...(computed.get(name) ?? []), ((cpuMsOf(processId) - began) / requests) * 1_000]);
      }
    }
    report(accepted, computed);
  } finally {
    await stage.close();
  }
}

/** Whoever comes first in a round is another one each time. */
function inTurn<T>(items: readonly T[], round: number): T[] {
  const first = (round + items.length) % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}

function report(accepted: ReadonlyMap<string, number[]>, computed: ReadonlyMap<string, number[]>): void {
  const legs: Leg[] = [
    ...[...accepted].map(([name, values]) => ({ name, unit: "payouts/s", values })),
    ...[...computed].map(([name, values]) => ({ name: `${name}, processor`, unit: "ms/1000", values })),
  ];
  const [without = [], off = [], loaded = []] = computed.values();
  const goals = [
    { name: "processor: off to without", value: median(off) / median(without), atMost: 1.02 },
    { name: "processor: SDK loaded to without", value: median(loaded) / median(without), atMost: 1.1 },
  ];
  endRun("tracing", legs, goals);
}
