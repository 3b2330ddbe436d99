/** What needs an operator's attention: each thing alone, and none that is calm or only of a sandbox. */
import { expect, test } from "vitest";
import { concernsOf } from "./attention.tsx";
import type { Processes, Queue } from "./queues-page.tsx";

type Seen = Parameters<typeof concernsOf>[0];

const queue = (more: Partial<Queue> = {}): Queue => ({
  kind: "webhook_deliveries",
  says: "Messages to merchants",
  environment: "LIVE",
  depth: 4,
  oldestSeconds: 90,
  misdated: 0,
  state: "stuck",
  ...more,
});
const worker = {
  id: "p-1",
  role: "worker",
  version: "1.0.0",
  host: "h",
  pid: 1,
  alive: true,
  clockAheadSeconds: 0,
  startedAt: "2026-11-16T18:45:31.284Z",
  heardAt: "2026-11-16T18:45:31.284Z",
} as const;
const running = (...processes: Processes["processes"]): Processes => ({ processes, standbys: [] });
const late = { environment: "LIVE", clocks: [{ over: false }, { over: true }] };

test.each<[string, Seen, string, string]>([
  ["a late payment", { unknowns: [late] }, "1 live payment is past one of the regulator's clocks", "/unknowns"],
  ["late payments", { unknowns: [late, late] }, "2 live payments are past one of the regulator's clocks", "/unknowns"],
  [
    "wrong books",
    { verification: { state: "contradictions" } },
    "The verification found differences",
    "/verifications",
  ],
  ["unread books", { verification: { state: "failed" } }, "The books could not be verified", "/verifications"],
  ["no process", { processes: running() }, "No worker lives: nothing is sent", "/queues"],
  ["a dead worker", { processes: running({ ...worker, alive: false }) }, "No worker lives: nothing is sent", "/queues"],
  ["a server alone", { processes: running({ ...worker, role: "api" }) }, "No worker lives: nothing is sent", "/queues"],
  ["a stuck queue", { queues: [queue()] }, "Webhook deliveries wait too long", "/queues"],
  ["a slow queue", { queues: [queue({ state: "slow" })] }, "Webhook deliveries wait too long", "/queues"],
  ["a hold", { connections: [{ name: "Providus", hold: {} }] }, "Providus takes no orders", "/connections"],
  ["a decision", { decisions: 1 }, "1 live decision waits for you", "/decisions"],
  ["decisions", { decisions: 12 }, "12 live decisions wait for you", "/decisions"],
  ["money for nobody", { suspense: 1 }, "1 payment came in for nobody", "/suspense"],
  ["more of it", { suspense: 3 }, "3 payments came in for nobody", "/suspense"],
])("%s is told, and where it is settled", (_case, seen, text, path) => {
  expect(concernsOf(seen)).toEqual([{ text, path }]);
});

test.each<[string, Seen]>([
  ["nothing that is known", {}],
  ["a payment whose clocks still run", { unknowns: [{ environment: "LIVE", clocks: [{ over: false }] }] }],
  ["a late payment of a sandbox", { unknowns: [{ ...late, environment: "SANDBOX" }] }],
  ["clean books", { verification: { state: "clean" } }],
  ["books that are being read", { verification: { state: "running" } }],
  ["a worker that lives", { processes: running({ ...worker, alive: false }, worker) }],
  ["one process that does all", { processes: running({ ...worker, role: "all" }) }],
  ["a quick queue", { queues: [queue({ state: "ok" })] }],
  ["a stuck queue of a sandbox", { queues: [queue({ environment: "SANDBOX" })] }],
  ["an open connection", { connections: [{ name: "Providus", hold: null }] }],
  ["no decision and no suspense", { decisions: 0, suspense: 0 }],
  ["counts that the server did not give", { decisions: null, suspense: null }],
])("%s is no concern", (_case, seen) => {
  expect(concernsOf(seen)).toEqual([]);
});

test("the regulator's clocks come first, and money for nobody last", () => {
  const concerns = concernsOf({
    suspense: 1,
    decisions: 1,
    connections: [{ name: "Providus", hold: {} }],
    queues: [queue()],
    processes: running(),
    verification: { state: "contradictions" },
    unknowns: [late],
  });
  expect(concerns.map(({ path }) => path)).toEqual([
    "/unknowns",
    "/verifications",
    "/queues",
    "/queues",
    "/connections",
    "/decisions",
    "/suspense",
  ]);
});
