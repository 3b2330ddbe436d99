import fc from "fast-check";
import { expect, test } from "vitest";
import { frozenClock, runningClock } from "../platform/database/clock.ts";
import { hasValidCheckDigit, newAccountNumber } from "./open-wallet.ts";

const id = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11";

test("an account number has ten digits, the last of which checks the others", () => {
  const clock = runningClock(new Date(), 0);
  for (const number of Array.from({ length: 500 }, () => newAccountNumber({ id, clock }))) {
    expect(number).toMatch(/^\d{10}$/);
    expect(hasValidCheckDigit(number)).toBe(true);
  }
});

test("a mistyped digit is found", () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(9), fc.integer({ min: 1, max: 9 }), (seed, place, change) => {
      const number = newAccountNumber({ id, clock: frozenClock(new Date(0), seed, "1") });
      const digit = (Number(number.charAt(place)) + change) % 10;
      expect(hasValidCheckDigit(number.slice(0, place) + digit + number.slice(place + 1))).toBe(false);
    }),
  );
});

test.each(["", "123", "12345678901", "abcdefghij"])("%j is no account number", (text) => {
  expect(hasValidCheckDigit(text)).toBe(false);
});

test("numbers are the same for the same seed in the same environment, and in no other", () => {
  const draw = (id: string) => {
    const clock = frozenClock(new Date(0), "lesson-1", "7");
    return [newAccountNumber({ id, clock }), newAccountNumber({ id, clock })];
  };
  expect(draw(id)).toEqual(draw(id));
  expect(new Set([...draw(id), ...draw(id.replace("0193", "0194"))]).size).toBe(4);
});
