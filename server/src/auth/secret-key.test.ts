import { expect, test } from "vitest";
import { hashSecretKey, isWellFormedKey, makeSecretKey, shownPrefix } from "./secret-key.ts";

test("a key has the form of its environment's kind", () => {
  expect(makeSecretKey("SANDBOX")).toMatch(/^sk_test_[0-9A-Za-z]{36}$/);
  expect(makeSecretKey("LIVE")).toMatch(/^sk_live_[0-9A-Za-z]{36}$/);
});

test("the checksum is CRC32 in base 62, as a fixed example shows", () => {
  // Worked out by another program: crc32 is 2192278140, which is 2OMZgq in base 62.
  expect(isWellFormedKey(`sk_test_${"0".repeat(30)}2OMZgq`)).toBe(true);
});

test("no two keys are alike and each fits its own checksum", () => {
  const made = Array.from({ length: 200 }, () => makeSecretKey("SANDBOX"));
  expect(made.every(isWellFormedKey)).toBe(true);
  expect(new Set(made).size).toBe(200);
});

test("a single wrong character anywhere is noticed", () => {
  const key = makeSecretKey("LIVE");
  for (let place = "sk_live_".length; place < key.length; place += 1) {
    const other = key.charAt(place) === "x" ? "y" : "x";
    expect(isWellFormedKey(key.slice(0, place) + other + key.slice(place + 1))).toBe(false);
  }
});

test.each([
  "",
  "sk_test_",
  "sk_prod_",
  `op_${"a".repeat(36)}`,
  `sk_test_${"é".repeat(36)}`,
  ` ${makeSecretKey("LIVE")}`,
])("%j is not a key", (text) => expect(isWellFormedKey(text)).toBe(false));

test("a test key's checksum does not fit the same characters as a live key", () => {
  expect(isWellFormedKey(makeSecretKey("SANDBOX").replace("sk_test_", "sk_live_"))).toBe(false);
});

test("the shown prefix gives away four random characters, the hash none", () => {
  const key = makeSecretKey("SANDBOX");
  expect(shownPrefix(key)).toHaveLength(12);
  expect(hashSecretKey(key)).toHaveLength(32);
});
