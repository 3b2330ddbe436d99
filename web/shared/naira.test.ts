import { expect, test } from "vitest";
import { formatNaira, formatNairaExactly, plainAmount } from "./naira.ts";

test.each([
  [0, "₦0", "₦0.00"],
  [45_000, "₦45,000", "₦45,000.00"],
  [15_375.5, "₦15,375.50", "₦15,375.50"],
  [1_009_882.02, "₦1,009,882.02", "₦1,009,882.02"],
])("%d naira", (amount, short, exact) => {
  expect(formatNaira(amount)).toBe(short);
  expect(formatNairaExactly(amount)).toBe(exact);
});

test.each([
  ["2500", "2500"],
  ["₦2,500", "2500"],
  ["₦ 1,234,567.89", "1234567.89"],
  [" 43 000 ", "43000"],
  ["999", "999"],
  ["1,000", "1000"],
])("%j is read as %s", (typed, plain) => {
  expect(plainAmount(typed)).toBe(plain);
});

test.each(["2500,50", "2,5", "2,50", "1,00,000", "1000,000", "1,0000", "1,000,", ",500", "1.500,50", "1,500,50"])(
  "a comma that divides no thousands, as in %s, is not taken away",
  (typed) => {
    expect(plainAmount(typed)).toContain(",");
  },
);
