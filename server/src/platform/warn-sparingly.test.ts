import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLogger } from "./logger.ts";
import { warnSparingly } from "./warn-sparingly.ts";

const lines: Record<string, unknown>[] = [];
const logger = () =>
  createLogger({ level: "warn", destination: { write: (line) => void lines.push(JSON.parse(line)) } });
const counts = () => lines.map(({ loop, count }) => [loop, count]);

beforeEach(() => {
  lines.length = 0;
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

test("the first is told at once, then one a minute with how many there were, until they end", () => {
  const log = logger();
  const warn = (loop: string) => warnSparingly(log, { err: new Error("the database is away"), loop }, "a step failed");
  for (const loop of ["one", "two", "three"]) warn(loop);
  expect(counts()).toEqual([["one", undefined]]);
  vi.advanceTimersByTime(60_000);
  expect(counts()).toEqual([
    ["one", undefined],
    ["three", 2],
  ]);
  warn("four");
  vi.advanceTimersByTime(60_000);
  expect(counts().slice(2)).toEqual([["four", 1]]);
  vi.advanceTimersByTime(120_000);
  expect(lines).toHaveLength(3);
  warn("five");
  expect(counts().at(-1)).toEqual(["five", undefined]);
});

test("another error, another message and another log are told at once", () => {
  const log = logger();
  warnSparingly(log, { err: new Error("away") }, "a step failed");
  warnSparingly(log, { err: new Error("full") }, "a step failed");
  warnSparingly(log, { err: new Error("away") }, "a look failed");
  warnSparingly(logger(), { err: new Error("away") }, "a step failed");
  warnSparingly(log, { err: "a thrown word" }, "a step failed");
  expect(lines).toHaveLength(5);
});
