import { expect, test } from "vitest";
import { shortNaira } from "./short-naira.ts";

test.each([
  [0, "₦0"],
  [0.5, "₦0.5"],
  [999, "₦999"],
  [1_999, "₦1.9k"],
  [250_000, "₦250k"],
  [1_000_000, "₦1m"],
  [3_450_000_000, "₦3.4bn"],
])("%s is %s", (value, text) => {
  expect(shortNaira(value)).toBe(text);
});
