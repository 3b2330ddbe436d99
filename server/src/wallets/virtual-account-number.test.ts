import fc from "fast-check";
import { expect, test } from "vitest";
import { frozenClock, runningClock } from "../platform/database/clock.ts";
import { hasValidCheckDigit, newAccountNumber } from "./virtual-account-number.ts";

test("an account number has ten digits, the last of which checks the others", () => {
  const clock = runningClock(new Date(), 0);
  for (const number of Array.from({ length: 500 }, () => newAccountNumber(clock))) {
    expect(number).toMatch(/^\d{10}$/);
    expect(hasValidCheckDigit(number)).toBe(true);
  }
});

test("a mistyped digit is found", () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(9), fc.integer({ min: 1, max: 9 }), (seed, place, change) => {
      const number = newAccountNumber(frozenClock(new Date(0), seed, "1"));
      const digit = (Number(number.charAt(place)) + change) % 10;
      expect(hasValidCheckDigit(number.slice(0, place) + digit + number.slice(place + 1))).toBe(false);
    }),
  );
});

test.each(["", "123", "12345678901", "abcdefghij"])("%j is no account number", (text) => {
  expect(hasValidCheckDigit(text)).toBe(false);
});

test("numbers are the same for the same seed", () => {
  const draw = () => {
    const clock = frozenClock(new Date(0), "lesson-1", "7");
    return [newAccountNumber(clock), newAccountNumber(clock)];
  };
  expect(draw()).toEqual(draw());
  expect(new Set(draw()).size).toBe(2);
});
