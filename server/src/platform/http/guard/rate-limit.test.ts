import { describe, expect, test } from "vitest";
import { createRateLimiter } from "./rate-limit.ts";

function limiterAt(perSecond: number, burst: number) {
  const clock = { ms: 0 };
  return { clock, limiter: createRateLimiter({ perSecond, burst }, () => clock.ms) };
}

describe("a rate limiter", () => {
  test("allows a burst and then refuses, saying how long to wait", () => {
    const { limiter } = limiterAt(2, 4);
    const answers = Array.from({ length: 5 }, () => limiter.take("key"));
    expect(answers.map((answer) => answer.allowed)).toEqual([true, true, true, true, false]);
    expect(answers.map((answer) => answer.remaining)).toEqual([3, 2, 1, 0, 0]);
    expect(answers[4]?.waitSeconds).toBe(1);
  });

  test("gains tokens with time, but never more than the burst", () => {
    const { clock, limiter } = limiterAt(2, 4);
    for (let taken = 0; taken < 4; taken += 1) limiter.take("key");
    clock.ms = 500;
    expect(limiter.take("key").allowed).toBe(true);
    expect(limiter.take("key").allowed).toBe(false);
    clock.ms = 60_000;
    expect(limiter.take("key").remaining).toBe(3);
  });

  test("keeps names apart", () => {
    const { limiter } = limiterAt(1, 1);
    expect([limiter.take("a").allowed, limiter.take("b").allowed, limiter.take("a").allowed]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test("tells an empty bucket without taking from it", () => {
    const { limiter } = limiterAt(1, 1);
    expect([limiter.isEmpty("a"), limiter.isEmpty("a")]).toEqual([false, false]);
    limiter.take("a");
    expect(limiter.isEmpty("a")).toBe(true);
  });

  test("remembers a bounded number of names, forgetting the full buckets first", () => {
    const { clock, limiter } = limiterAt(1, 2);
    for (let name = 0; name < 19_999; name += 1) limiter.take(`idle ${name}`);
    clock.ms = 10_000;
    limiter.take("busy");
    limiter.take("busy");
    limiter.take("new");
    expect(limiter.size()).toBe(2);
    expect(limiter.take("busy").allowed).toBe(false);
  });

  test("stays bounded under a flood of names that are all in use", () => {
    const { limiter } = limiterAt(1, 2);
    for (let name = 0; name < 100_000; name += 1) limiter.take(`name ${name}`);
    expect(limiter.size()).toBeLessThanOrEqual(20_000);
  });
});
