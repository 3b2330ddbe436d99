import { expect, test } from "vitest";
import { formatNaira, formatNairaExactly } from "./naira.ts";

test.each([
  [0, "₦0", "₦0.00"],
  [45_000, "₦45,000", "₦45,000.00"],
  [15_375.5, "₦15,375.50", "₦15,375.50"],
  [1_009_882.02, "₦1,009,882.02", "₦1,009,882.02"],
])("%d naira", (amount, short, exact) => {
  expect(formatNaira(amount)).toBe(short);
  expect(formatNairaExactly(amount)).toBe(exact);
});
