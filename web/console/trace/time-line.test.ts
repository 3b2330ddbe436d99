import type { Trace, TraceStep } from "@jara/sdk";
import { expect, test } from "vitest";
import { factsOf, legsOf, linksOf, timeLine } from "./time-line.ts";

const step = (more: Partial<TraceStep> = {}): TraceStep => ({
  at: "2026-11-16T18:45:30.922Z",
  kind: "state",
  title: "Accepted",
  detail: {},
  ids: {},
  ok: true,
  ...more,
});

test("each step tells how long after the one before it came", () => {
  const trace: Trace = {
    id: "t",
    kind: "transfer",
    steps: [step(), step({ at: "2026-11-16T18:45:30.960Z" }), step({ at: "2026-11-16T18:45:33.391Z" })],
  };
  expect(timeLine(trace).map(({ sinceMs }) => sinceMs)).toEqual([null, 38, 2431]);
  expect(new Set(timeLine(trace).map(({ key }) => key)).size).toBe(3);
});

test("legs are read from where money left to where it went", () => {
  const legs = [
    { account: "held", amount: 4510.75 },
    { account: "wallet", amount: -4510.75 },
  ];
  expect(legsOf(step({ detail: { legs } })).map(({ account }) => account)).toEqual(["wallet", "held"]);
  expect(legsOf(step())).toEqual([]);
});

test("details become facts, nested ones with their whole name, empty ones not at all", () => {
  const detail = { status: "pending", legs: [{}], asked: { bank: "GTB", amount: 4500 }, reason: null, list: [] };
  expect(factsOf(step({ detail }))).toEqual([
    ["status", "pending"],
    ["asked bank", "GTB"],
    ["asked amount", "₦4,500.00"],
  ]);
});

test("a step leads to the records it names, but not to the page one is on", () => {
  const ids = { transfer: "t", event: "e", transaction: "x", somethingNew: "?" };
  expect(linksOf(step({ ids }), "t")).toEqual([
    { name: "event", path: "/events/e" },
    { name: "transaction", path: "/trace/x" },
  ]);
});
