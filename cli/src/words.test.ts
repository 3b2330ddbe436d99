import { expect, test } from "vitest";
import { moment, money, timeOfDay } from "./words.ts";

test("a moment has a year where it is not this one, by the calendar of Lagos", () => {
  const now = new Date("2026-11-17T09:00:00Z");
  expect(moment("2026-11-17T08:00:00Z", now)).toBe("17 Nov, 09:00:00");
  expect(moment("2027-12-21T08:00:00Z", now)).toBe("21 Dec 2027, 09:00:00");
  expect(moment("2026-12-31T23:30:00Z", now)).toBe("01 Jan 2027, 00:30:00");
  expect(moment(null, now)).toBe("");
});

test.each([
  [0, "0.00"],
  [0.01, "0.01"],
  [1_500, "1,500.00"],
  ["10000000000000.00", "10,000,000,000,000.00"],
  ["-0.05", "-0.05"],
  [null, ""],
  [undefined, ""],
])("money of %j is written as %j", (amount, text) => {
  expect(money(amount)).toBe(text);
});

test("midnight in Lagos is the beginning of a day, not its end", () => {
  expect(timeOfDay("2026-11-16T23:00:00Z")).toBe("00:00:00");
  expect(timeOfDay("2026-11-16T22:59:59Z")).toBe("23:59:59");
});
