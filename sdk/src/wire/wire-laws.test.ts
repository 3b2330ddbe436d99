/** Names and amounts on their way out and back, over random bodies. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { JaraInputError } from "../errors.ts";
import { writeAmounts } from "./amount.ts";
import { camelKeys, isRecord, snakeKeys, toCamel, toSnake } from "./casing.ts";

const snakeName = fc
  .array(fc.stringMatching(/^[a-z]{1,6}$/), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join("_"))
  .filter((name) => name !== "metadata" && name !== "ids" && name !== "amount" && name !== "to_json");
const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie("tree"), { maxLength: 3 }),
    fc.dictionary(snakeName, tie("tree"), { maxKeys: 4 }),
  ),
}));

test("a name goes to camelCase and back", () => {
  fc.assert(
    fc.property(snakeName, (name) => {
      expect(toSnake(toCamel(name))).toBe(name);
      expect(toCamel(name)).not.toContain("_");
    }),
  );
});

test("a name that is camelCase already stays as it is", () => {
  fc.assert(
    fc.property(snakeName, (name) => {
      expect(toCamel(toCamel(name))).toBe(toCamel(name));
    }),
  );
});

test("a whole body goes to camelCase and back, at every depth", () => {
  fc.assert(
    fc.property(tree, (body) => {
      expect(snakeKeys(camelKeys(body))).toEqual(body);
    }),
  );
});

test("what the caller named stays as it is in both directions", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), leaf), fc.constantFrom("metadata", "ids"), (own, name) => {
      const body = { outer_name: [{ [name]: own }] };
      expect(camelKeys(body)).toEqual({ outerName: [{ [name]: own }] });
      expect(snakeKeys(camelKeys(body))).toEqual(body);
    }),
  );
});

test("what was given is not changed in its place", () => {
  fc.assert(
    fc.property(tree, (body) => {
      const before = JSON.stringify(body);
      camelKeys(body);
      snakeKeys(body);
      writeAmounts(body, "number");
      expect(JSON.stringify(body)).toBe(before);
    }),
  );
});

test.each([
  [{}, true],
  [Object.create(null), true],
  [[], false],
  [null, false],
  [new Date(0), false],
  [new URL("https://x.test"), false],
  ["text", false],
  [3, false],
  [undefined, false],
])("%o is a record: %s", (value, is) => {
  expect(isRecord(value)).toBe(is);
});

/** As many digits as come through a number whole. */
const kobo = fc.bigInt({ min: 0n, max: 999_999_999_999_999n });
const textOf = (amount: bigint) => `${amount / 100n}.${String(amount % 100n).padStart(2, "0")}`;

test("an amount in text is sent as exactly the number that it says", () => {
  fc.assert(
    fc.property(kobo, (amount) => {
      const sent = JSON.stringify(writeAmounts({ amount: textOf(amount) }, "number"));
      const [, digits = ""] = /^\{"amount":(\d+(?:\.\d+)?)\}$/.exec(sent) ?? [];
      const [whole = "", decimals = ""] = digits.split(".");
      expect(BigInt(whole + decimals.padEnd(2, "0"))).toBe(amount);
    }),
  );
});

test("where text is wanted, text goes as it was written and a number becomes one", () => {
  fc.assert(
    fc.property(kobo, (amount) => {
      expect(writeAmounts({ amount: textOf(amount) }, "text")).toEqual({ amount: textOf(amount) });
      expect(writeAmounts({ amount: Number(amount % 10_000n) }, "text")).toEqual({ amount: String(amount % 10_000n) });
    }),
  );
});

test.each(["", " 5", "5 ", "+5", "-5", "1e3", "0x10", "5.", ".5", "1.005", "1,000", "₦5", "NaN", "12345678901234"])(
  "%j is refused before anything is sent, and named",
  (amount) => {
    const write = () => writeAmounts({ transfers: [{ amount }] }, "number");
    expect(write).toThrow(JaraInputError);
    expect(write).toThrow(JSON.stringify(amount));
  },
);

test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
  "%s would become null and is refused",
  (amount) => {
    for (const form of ["number", "text"] as const)
      expect(() => writeAmounts({ amount }, form)).toThrow("which is not an amount in naira");
  },
);

test("an amount of the caller's own, in metadata, is nobody's business", () => {
  const body = { amount: "10.50", metadata: { amount: "ten", inner: { amount: Number.NaN } } };
  expect(writeAmounts(body, "number")).toEqual({ ...body, amount: 10.5 });
});
