import { describe, expect, test } from "vitest";
import { attemptTime, mostAttempts, nextTryAt, readRetryAfter } from "./delivery.ts";

const from = new Date("2026-11-01T08:00:00.000Z");
const secondsUntil = (at: Date | null): number | null => (at === null ? null : (at.getTime() - from.getTime()) / 1_000);

describe("the schedule", () => {
  test.each([
    [1, 5],
    [2, 60],
    [3, 300],
    [4, 1_800],
    [5, 7_200],
    [6, 21_600],
    [7, 43_200],
    [8, 86_400],
    [9, 86_400],
    [10, null],
  ])("after try %i waits %j seconds at most", (attempts, seconds) => {
    expect(secondsUntil(nextTryAt({ attempts, from, retryAfterMs: null, chance: 0 }))).toBe(seconds);
    const shortest = nextTryAt({ attempts, from, retryAfterMs: null, chance: 1 });
    expect(secondsUntil(shortest)).toBe(seconds === null ? null : seconds * 0.8);
  });

  test("spans about three days and ten tries", () => {
    let at: Date | null = from;
    let attempts = 0;
    while (at !== null) {
      attempts += 1;
      const next = nextTryAt({ attempts, from: at, retryAfterMs: null, chance: 0 });
      if (next === null) break;
      at = next;
    }
    expect(attempts).toBe(mostAttempts);
    expect((secondsUntil(at) ?? 0) / 86_400).toBeCloseTo(2.86, 1);
  });

  test.each([
    [1, 120_000, 120],
    [2, 1_000, 60],
    [1, 400_000_000, 86_400],
    [10, 5_000, null],
  ])("after try %i with Retry-After of %i ms waits %j seconds", (attempts, retryAfterMs, seconds) => {
    expect(secondsUntil(nextTryAt({ attempts, from, retryAfterMs, chance: 0 }))).toBe(seconds);
  });
});

test.each([
  ["120", 120_000],
  [" 0 ", 0],
  ["Sun, 01 Nov 2026 08:00:30 GMT", 30_000],
  ["Sun, 01 Nov 2026 07:00:00 GMT", 0],
  ["-5", null],
  ["1.5", null],
  ["soon", null],
  ["9999999999", null],
  ["", null],
  [undefined, null],
])("Retry-After: %s is %j ms", (header, ms) => {
  expect(readRetryAfter(header, from)).toBe(ms);
});

test("a try of a sandbox happened when it was due, one of a live environment when it was sent", () => {
  const times = { sentAt: new Date(2), dueAt: new Date(1) };
  expect(attemptTime("SANDBOX", times)).toBe(times.dueAt);
  expect(attemptTime("LIVE", times)).toBe(times.sentAt);
});
