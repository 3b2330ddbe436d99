import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { kobo, nairaFromNumber, nairaNumber, nairaString, parseNaira } from "./kobo.ts";

describe("naira read from the wire", () => {
  test.each([
    [0, 0n],
    [100, 10_000n],
    [99.99, 9_999n],
    [0.1, 10n],
    [1_000_000.55, 100_000_055n],
    [-5.5, -550n],
  ])("%d becomes %d kobo", (naira, expected) => {
    expect(nairaFromNumber(naira)).toBe(expected);
  });

  test.each([100.001, 0.1 + 0.2, 1e21, 1e-7, Number.NaN, Number.POSITIVE_INFINITY])(
    "%d is refused, never rounded",
    (value) => {
      expect(nairaFromNumber(value)).toBeUndefined();
    },
  );

  test.each(["", " 1", "1 ", "1.", ".5", "1e3", "1,000", "+1", "0x10", "1.234", "9".repeat(16)])(
    "%j is refused",
    (digits) => {
      expect(parseNaira(digits)).toBeUndefined();
    },
  );
});

test("every amount below ten trillion naira survives the way out and back", () => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 15n), 10n ** 15n), (amount) => {
      expect(parseNaira(nairaString(kobo(amount)))).toBe(amount);
      expect(nairaFromNumber(nairaNumber(kobo(amount)))).toBe(amount);
    }),
  );
});

test("a string of naira always shows two decimals", () => {
  expect(nairaString(kobo(0n))).toBe("0.00");
  expect(nairaString(kobo(5n))).toBe("0.05");
  expect(nairaString(kobo(-5n))).toBe("-0.05");
  expect(nairaString(kobo(5_000_000n))).toBe("50000.00");
});
