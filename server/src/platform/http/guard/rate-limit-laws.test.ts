/** Laws of token buckets, over random days: nobody gets more than the limit, and nobody gets less. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRateLimiter } from "./rate-limit.ts";

const limit = fc.record({
  perSecond: fc.integer({ min: 1, max: 50 }),
  burst: fc.integer({ min: 1, max: 100 }),
});
/** Pauses between requests, in milliseconds. */
const pauses = fc.array(fc.nat(1_500), { minLength: 1, maxLength: 150 });

describe("a limit", () => {
  test("lets through at most the burst and what time has added, over any stretch of requests", () => {
    fc.assert(
      fc.property(limit, pauses, (one, waits) => {
        let now = 0;
        const limiter = createRateLimiter(one, () => now);
        const letIn: number[] = [];
        for (const wait of waits) {
          now += wait;
          if (limiter.take("a").allowed) letIn.push(now);
        }
        for (const [place, from] of letIn.entries()) {
          const last = letIn.at(-1) ?? from;
          const most = one.burst + ((last - from) / 1_000) * one.perSecond;
          expect(letIn.length - place).toBeLessThanOrEqual(Math.floor(most + 1e-6));
        }
      }),
    );
  });

  test("lets everybody through who keeps to the rate", () => {
    fc.assert(
      fc.property(limit, fc.nat(100), (one, count) => {
        let now = 0;
        const limiter = createRateLimiter(one, () => now);
        for (let place = 0; place < count; place += 1) {
          expect(limiter.take("a").allowed).toBe(true);
          now += 1_000 / one.perSecond + 0.001;
        }
      }),
    );
  });

  test("keeps its word: a request that was refused is let in after the time that it was told", () => {
    fc.assert(
      fc.property(limit, pauses, (one, waits) => {
        let now = 0;
        const limiter = createRateLimiter(one, () => now);
        for (const wait of waits) {
          now += wait;
          const { allowed, waitSeconds } = limiter.take("a");
          if (allowed) continue;
          expect(waitSeconds).toBeGreaterThanOrEqual(1);
          now += waitSeconds * 1_000;
          expect(limiter.take("a").allowed).toBe(true);
        }
      }),
    );
  });

  test("tells how many are left, and exactly so many are let in at that moment", () => {
    fc.assert(
      fc.property(limit, pauses, (one, waits) => {
        let now = 0;
        const limiter = createRateLimiter(one, () => now);
        let told = one.burst;
        for (const wait of waits) {
          now += wait;
          told = limiter.take("a").remaining;
        }
        for (let place = 0; place < told; place += 1) expect(limiter.take("a").allowed).toBe(true);
        expect(limiter.isEmpty("a")).toBe(true);
        expect(limiter.take("a").allowed).toBe(false);
      }),
    );
  });

  test("of one name is not touched by what others do", () => {
    fc.assert(
      fc.property(limit, fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 200 }), (one, names) => {
        const alone = createRateLimiter(one, () => 0);
        const together = createRateLimiter(one, () => 0);
        for (const name of names) {
          const shared = together.take(name);
          if (name === "a") expect(shared).toEqual(alone.take("a"));
        }
      }),
    );
  });

  test("is asked about without taking from it, and of a name that nobody used is not reached", () => {
    fc.assert(
      fc.property(limit, fc.nat(20), (one, looks) => {
        const limiter = createRateLimiter(one, () => 0);
        expect([limiter.isEmpty("a"), limiter.size()]).toEqual([false, 0]);
        limiter.take("a");
        for (let place = 0; place < looks; place += 1) limiter.isEmpty("a");
        expect(limiter.take("a").allowed).toBe(one.burst > 1);
      }),
    );
  });
});
