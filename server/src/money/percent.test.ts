import fc from "fast-check";
import { expect, test } from "vitest";
import { percentNumber, percentParts } from "./percent.ts";

test.each([
  [7.5, 1, 75n],
  [2.5, 2, 250n],
  [0.29, 2, 29n],
  [100, 4, 1_000_000n],
  [0, 2, 0n],
  [0.125, 2, undefined],
  [1e-7, 4, undefined],
  [-1, 2, undefined],
])("%d percent with %d decimals is %s parts", (percent, decimals, parts) => {
  expect(percentParts(percent, decimals)).toBe(parts);
});

test("what was written is read again", () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 1_000_000n), fc.integer({ min: 1, max: 4 }), (parts, decimals) => {
      expect(percentParts(percentNumber(parts, decimals), decimals)).toBe(parts);
    }),
  );
});
