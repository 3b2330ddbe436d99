import { expect, test } from "vitest";
import { passesLuhn } from "./luhn.ts";

test.each([
  ["4084084084084081", true],
  ["4084080000005408", true],
  ["5060666666666666666", true],
  ["4242424242424242", true],
  ["4084084084084080", false],
  ["4084084084080481", false],
  ["0", true],
  ["1", false],
])("%s passes: %s", (digits, passes) => {
  expect(passesLuhn(digits)).toBe(passes);
});
