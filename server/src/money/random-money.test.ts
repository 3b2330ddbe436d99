/** Laws that hold for every amount, so that no example has to be lucky. */
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
import { kobo, nairaFromNumber, nairaNumber, nairaString, parseNaira } from "./kobo.ts";
import { percentNumber, percentParts } from "./percent.ts";

const largest = 10n ** 15n;
const amount = fc.bigInt({ min: 0n, max: largest }).map(kobo);
const signed = fc.bigInt({ min: -largest, max: largest }).map(kobo);
const rounding = fc.constantFrom("half_up", "down", "up");

describe("naira on the wire", () => {
  test("is the same kobo again, as a text and as a number", () => {
    fc.assert(
      fc.property(signed, (value) => {
        expect(parseNaira(nairaString(value))).toBe(value);
        fc.pre(value > -(10n ** 15n) && value < 10n ** 15n);
        expect(nairaFromNumber(nairaNumber(value))).toBe(value);
      }),
    );
  });

  test("as a text always has two decimals and one form", () => {
    fc.assert(
      fc.property(signed, (value) => {
        expect(nairaString(value)).toMatch(/^(0|-?[1-9]\d*|-0)\.\d{2}$/);
      }),
    );
  });

  test.each(["", " 1", "1 ", "1.", ".5", "1.234", "1e3", "+1", "0x10", "1,000", "NaN", "Infinity", "--1", "1.-5", "١"])(
    "is not %j",
    (digits) => {
      expect(parseNaira(digits)).toBeUndefined();
    },
  );

  test("is never rounded in silence: more than two decimals are refused", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.stringMatching(/^\d{2}[0-9]{0,5}[1-9]$/),
        (whole, decimals) => {
          expect(parseNaira(`${whole}.${decimals}`)).toBeUndefined();
        },
      ),
    );
  });
});

describe("a split", () => {
  test("into equal parts loses nothing, and the last differs by less than there are parts", () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 1, max: 120 }), (whole, count) => {
        const parts = splitEvenly(whole, count);
        const [first = kobo(0n)] = parts;
        const last = parts.at(-1) ?? kobo(0n);
        expect(parts).toHaveLength(count);
        expect(sum(parts)).toBe(whole);
        expect(last - first).toBeGreaterThanOrEqual(0n);
        expect(last - first).toBeLessThan(BigInt(count));
        expect(parts.slice(0, -1).every((part) => part === first)).toBe(true);
      }),
    );
  });

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("into %d parts is refused", (count) => {
    expect(() => splitEvenly(kobo(100n), count)).toThrow(RangeError);
  });

  test("in proportion loses nothing, and no part exceeds its weight", () => {
    const weights = fc.array(amount, { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(weights, fc.integer({ min: 0, max: 1_000 }), (held, permille) => {
        const whole = multiplyRatio(sum(held), BigInt(permille), 1_000n, "down");
        const parts = splitInProportion(whole, held);
        expect(sum(parts)).toBe(whole);
        parts.forEach((part, place) => {
          expect(part).toBeGreaterThanOrEqual(0n);
          expect(part).toBeLessThanOrEqual(held[place] ?? 0n);
        });
      }),
    );
  });

  test("in proportion of more than the weights hold, or of less than nothing, is refused", () => {
    const held = [kobo(60n), kobo(40n)];
    expect(splitInProportion(kobo(100n), held)).toEqual(held);
    expect(() => splitInProportion(kobo(101n), held)).toThrow(RangeError);
    expect(() => splitInProportion(kobo(-1n), held)).toThrow(RangeError);
    expect(() => splitInProportion(kobo(1n), [])).toThrow(RangeError);
    expect(splitInProportion(kobo(0n), [])).toEqual([]);
  });
});

describe("a share of an amount", () => {
  const ratio = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 9n }), fc.bigInt({ min: 1n, max: 10n ** 9n }));

  test("is off by less than a kobo, in the direction that its rounding names", () => {
    fc.assert(
      fc.property(amount, ratio, (whole, [over, under]) => {
        const exact = whole * over;
        const [down, up, half] = (["down", "up", "half_up"] as const).map((way) =>
          multiplyRatio(whole, over, under, way),
        );
        expect((down ?? 0n) * under).toBeLessThanOrEqual(exact);
        expect((up ?? 0n) * under).toBeGreaterThanOrEqual(exact);
        expect((up ?? 0n) - (down ?? 0n)).toBe(exact % under === 0n ? 0n : 1n);
        expect([down, up]).toContain(half);
        expect(2n * (exact - (half ?? 0n) * under)).toBeLessThan(under);
      }),
    );
  });

  test("of a debt is the debt of the share: signs change nothing but the sign", () => {
    fc.assert(
      fc.property(amount, ratio, rounding, (whole, [over, under], way) => {
        expect(multiplyRatio(negate(whole), over, under, way)).toBe(negate(multiplyRatio(whole, over, under, way)));
      }),
    );
  });

  test.each([0n, -1n])("over %s is refused", (under) => {
    expect(() => multiplyRatio(kobo(1n), 1n, under, "down")).toThrow(RangeError);
  });
});

test("adding and taking away undo each other, in any order", () => {
  fc.assert(
    fc.property(signed, signed, signed, (one, two, three) => {
      expect(subtract(add(one, two), two)).toBe(one);
      expect(add(one, two, three)).toBe(add(three, add(two, one)));
      expect(sum([one, negate(one)])).toBe(0n);
      expect(add(smaller(one, two), larger(one, two))).toBe(add(one, two));
    }),
  );
});

test("a percentage is the same again after it was shown, with any number of decimals", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 99_999_999n }), fc.integer({ min: 0, max: 4 }), (parts, decimals) => {
      expect(percentParts(percentNumber(parts, decimals), decimals)).toBe(parts);
    }),
  );
});
