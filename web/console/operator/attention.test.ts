import { expect, test } from "vitest";
import { concernsOf } from "./attention.tsx";

const queue = {
  kind: "bills",
  says: "",
  environment: "LIVE",
  depth: 3,
  oldestSeconds: 90,
  misdated: 0,
  state: "slow",
} as const;
const worker = { role: "worker", alive: true } as const;
const processes = (alive: boolean) => ({ processes: [{ ...worker, alive }] as never, standbys: [] });

test("a healthy house has no concerns", () => {
  expect(concernsOf({ queues: [{ ...queue, state: "ok" }], processes: processes(true), suspense: 0 })).toEqual([]);
});

test("what has not been read yet is no concern", () => {
  expect(concernsOf({})).toEqual([]);
});

test.each([
  ["a slow live queue", { queues: [queue] }, "/queues"],
  ["no worker", { processes: processes(false) }, "/queues"],
  ["a contradiction", { verification: { state: "contradictions" as const } }, "/verifications"],
  ["an overdue payment", { unknowns: [{ environment: "LIVE", clocks: [{ over: true }] }] }, "/unknowns"],
  ["a held connection", { connections: [{ name: "Main", hold: {} }] }, "/connections"],
  ["a decision", { decisions: 1 }, "/decisions"],
  ["money of nobody", { suspense: 2 }, "/suspense"],
])("%s is named with its room", (_, seen, path) => {
  expect(concernsOf(seen).map((one) => one.path)).toEqual([path]);
});

test("what waits in a sandbox wakes nobody", () => {
  expect(concernsOf({ queues: [{ ...queue, environment: "SANDBOX" }] })).toEqual([]);
});
