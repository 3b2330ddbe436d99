/** Spans, words and masks over random input. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { counted, lastFour, masked, span, words } from "./figures.ts";

const sizes: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, min: 60_000, s: 1_000, ms: 1 };

/** The milliseconds that a told span stands for, and the smallest unit that it names. */
function readSpan(text: string): { total: number; smallest: number } {
  const parts = [...text.matchAll(/(\d+(?:\.\d)?) (d|h|min|s|ms)(?= |$)/g)];
  const values = parts.map(([, count, unit]) => ({ count: Number(count), size: sizes[unit ?? ""] ?? Number.NaN }));
  return {
    total: values.reduce((sum, { count, size }) => sum + count * size, 0),
    smallest: Math.min(...values.map(({ size }) => size)),
  };
}

test("a span is told in one or two units, the larger one first", () => {
  fc.assert(
    fc.property(fc.nat({ max: 10_000_000_000 }), (milliseconds) => {
      const units = span(milliseconds)
        .split(" ")
        .filter((_, place) => place % 2 === 1);
      expect(units.length).toBeGreaterThanOrEqual(1);
      expect(units.length).toBeLessThanOrEqual(2);
      const told = units.map((unit) => sizes[unit] ?? 0);
      expect(told).toEqual(told.toSorted((one, other) => other - one));
    }),
  );
});

test("above ten seconds a span is never told as longer than it is, and loses less than its smaller unit", () => {
  fc.assert(
    fc.property(fc.integer({ min: 10_000, max: 2_000_000_000 }), (milliseconds) => {
      const { total } = readSpan(span(milliseconds));
      expect(total).toBeLessThanOrEqual(milliseconds);
      const largest = Object.values(sizes).find((size) => size <= milliseconds) ?? 1;
      expect(milliseconds - total).toBeLessThan(largest);
    }),
  );
});

test("below ten seconds a span is told to a tenth", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9_999 }), (milliseconds) => {
      const { total } = readSpan(span(milliseconds));
      expect(Math.abs(total - milliseconds)).toBeLessThanOrEqual(milliseconds < 1_000 ? 0 : 50);
    }),
  );
});

test("a name becomes words that begin with a capital and have no dividers", () => {
  const part = fc.stringMatching(/^[a-z]{1,8}$/);
  const divider = fc.constantFrom("_", ".", "-", "__");
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), divider, (parts, between) => {
      const [first = "", ...rest] = parts;
      const told = [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(" ");
      expect(words(parts.join(between))).toBe(told);
    }),
  );
});

test("snake case and camel case of the same name read alike", () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{2,8}$/), { minLength: 1, maxLength: 4 }), (parts) => {
      const camel = parts.map((part, at) => (at === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1))).join("");
      expect(words(camel)).toBe(words(parts.join("_")));
    }),
  );
});

test.each([
  [0, "0 months"],
  [1, "1 month"],
  [2, "2 months"],
  [1_000, "1,000 months"],
  [-1, "-1 months"],
])("%d is counted as %s", (count, text) => {
  expect(counted(count, "month")).toBe(text);
});

test("a word of its own for many is taken as it is", () => {
  expect(counted(1, "entry", "entries")).toBe("1 entry");
  expect(counted(3, "entry", "entries")).toBe("3 entries");
});

test("of a secret four characters are shown at most, and none of one that is that short", () => {
  fc.assert(
    fc.property(fc.string(), (secret) => {
      const shown = lastFour(secret);
      expect(shown.startsWith("••••")).toBe(true);
      expect(shown.slice(4)).toBe(secret.length > 4 ? secret.slice(-4) : "");
    }),
  );
});

const secretNames = ["nin", "BVN", "card_number", "cardNumber", "pan", "cvv", "secret", "key", "token", "Password"];

test.each(secretNames)("%s is cut at any depth, and in lists", (name) => {
  const secret = fc.stringMatching(/^[a-z0-9]{12,24}$/);
  const depth = fc.array(fc.constantFrom("data", "user", "list"), { maxLength: 5 });
  fc.assert(
    fc.property(secret, depth, (value, path) => {
      const inner: unknown = { [name]: value };
      const record = path.reduce((below, at) => (at === "list" ? { list: [below] } : { [at]: below }), inner);
      const shown = JSON.stringify(masked(record));
      expect(shown).not.toContain(value);
      expect(shown).toContain(`••••${value.slice(-4)}`);
    }),
    { numRuns: 30 },
  );
});

test("a record without such names comes out as it went in, and is not touched", () => {
  const record = fc.dictionary(fc.stringMatching(/^x[a-z]{0,6}$/), fc.jsonValue({ maxDepth: 1 }));
  fc.assert(
    fc.property(record, (value) => {
      const before = JSON.stringify(value);
      fc.pre(!secretNames.some((name) => before.toLowerCase().includes(`"${name.toLowerCase()}":`)));
      expect(JSON.stringify(masked(value))).toBe(before);
      expect(JSON.stringify(value)).toBe(before);
    }),
  );
});
