import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  add,
  larger,
  multiplyRatio,
  negate,
  smaller,
  splitEvenly,
  splitInProportion,
  subtract,
  sum,
} from "./arithmetic.ts";
import { kobo } from "./kobo.ts";

describe("multiplyRatio", () => {
  test.each([
    // VAT of 7.5 % on the three transfer fees.
    [1000n, 75n, 1000n, "half_up", 75n],
    [2500n, 75n, 1000n, "half_up", 188n],
    [5000n, 75n, 1000n, "half_up", 375n],
    [1n, 1n, 2n, "half_up", 1n],
    [-1n, 1n, 2n, "half_up", -1n],
    [1n, 1n, 2n, "down", 0n],
    [1n, 1n, 3n, "up", 1n],
    [-1n, 1n, 3n, "up", -1n],
    [10n, 1n, 5n, "up", 2n],
  ] as const)("%d × %d ÷ %d rounded %s is %d", (amount, numerator, denominator, rounding, expected) => {
    expect(multiplyRatio(kobo(amount), numerator, denominator, rounding)).toBe(expected);
  });

  test("half up is never further than half a kobo from the exact value", () => {
    fc.assert(
      fc.property(
        fc.bigInt(-(10n ** 15n), 10n ** 15n),
        fc.bigInt(0n, 10n ** 6n),
        fc.bigInt(1n, 10n ** 6n),
        (amount, n, d) => {
          const error = multiplyRatio(kobo(amount), n, d, "half_up") * d - amount * n;
          expect((error < 0n ? -error : error) * 2n).toBeLessThanOrEqual(d);
        },
      ),
    );
  });

  test("a ratio without a positive denominator is refused", () => {
    expect(() => multiplyRatio(kobo(1n), 1n, 0n, "down")).toThrow(RangeError);
  });
});

test("adding, subtracting and negating are exact beyond what a double can hold", () => {
  const large = kobo(9_007_199_254_740_993n);
  expect(add(large, kobo(1n))).toBe(9_007_199_254_740_994n);
  expect(subtract(large, kobo(1n))).toBe(9_007_199_254_740_992n);
  expect(negate(large)).toBe(-9_007_199_254_740_993n);
  expect(sum([large, large])).toBe(18_014_398_509_481_986n);
  expect(sum([])).toBe(0n);
});

describe("splitEvenly", () => {
  test("gives the last part what the rounding left", () => {
    expect(splitEvenly(kobo(100n), 3)).toEqual([33n, 33n, 34n]);
    expect(splitEvenly(kobo(2n), 3)).toEqual([0n, 0n, 2n]);
    expect(splitEvenly(kobo(7n), 1)).toEqual([7n]);
  });

  test("never makes or loses a kobo", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 15n), fc.integer({ min: 1, max: 400 }), (amount, parts) => {
        const split = splitEvenly(kobo(amount), parts);
        expect(split).toHaveLength(parts);
        expect(sum(split)).toBe(amount);
        expect(new Set(split.slice(0, -1)).size).toBeLessThanOrEqual(1);
      }),
    );
  });

  test.each([0, -1, 1.5])("into %d parts is refused", (parts) => {
    expect(() => splitEvenly(kobo(1n), parts)).toThrow(RangeError);
  });
});

describe("splitInProportion", () => {
  test.each([
    [[100n, 100n, 100n], 200n, [66n, 66n, 68n]],
    // Two kobo would be left for the last, which has room for one.
    [[100n, 100n, 100n], 299n, [99n, 100n, 100n]],
    [[3n, 3n, 1n], 6n, [2n, 3n, 1n]],
    [[0n, 5n, 0n], 3n, [0n, 3n, 0n]],
    [[7n, 11n], 18n, [7n, 11n]],
    [[7n, 11n], 0n, [0n, 0n]],
    [[0n, 0n], 0n, [0n, 0n]],
    [[], 0n, []],
  ])("weights of %o take %d as %o", (weights, amount, expected) => {
    expect(splitInProportion(kobo(amount), weights.map(kobo))).toEqual(expected);
  });

  test("never makes or loses a kobo, and no part is negative, above its weight or far from its share", () => {
    const weighed = fc.array(fc.bigInt(0n, 10n ** 9n), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(weighed, fc.bigInt(0n, 10n ** 6n), (weights, millionths) => {
        const whole = weights.reduce((all, weight) => all + weight, 0n);
        const amount = (whole * millionths) / 10n ** 6n;
        const split = splitInProportion(kobo(amount), weights.map(kobo));
        expect(sum(split)).toBe(amount);
        for (const [place, part] of split.entries()) {
          const weight = weights[place] ?? 0n;
          expect(part >= 0n && part <= weight).toBe(true);
          if (whole > 0n) expect(part >= (amount * weight) / whole).toBe(true);
        }
      }),
    );
  });

  test.each([-1n, 3n])("refuses %d over weights of two kobo", (amount) => {
    expect(() => splitInProportion(kobo(amount), [kobo(1n), kobo(1n)])).toThrow(RangeError);
  });
});

test("the smaller and the larger of two amounts", () => {
  expect([smaller(kobo(1n), kobo(2n)), smaller(kobo(2n), kobo(1n))]).toEqual([1n, 1n]);
  expect([larger(kobo(1n), kobo(2n)), larger(kobo(2n), kobo(1n))]).toEqual([2n, 2n]);
});
