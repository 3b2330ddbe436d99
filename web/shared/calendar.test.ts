import { expect, test } from "vitest";
import { formatCountdown, formatDate, formatMonth, formatShortDate } from "./calendar.ts";

test("a due date is read as a date of Lagos", () => {
  expect(formatDate("2026-12-15")).toBe("15 December 2026");
  expect(formatShortDate("2026-12-15")).toBe("15 Dec");
  expect(formatMonth("2027-09-01")).toBe("Sep");
  expect(formatShortDate("2027-09-01")).toBe("1 Sep");
});

test("an hour before midnight in London it is the next day in Lagos", () => {
  expect(formatDate("2026-12-31T23:30:00.000Z")).toBe("1 January 2027");
});

test.each([
  [600, "10:00"],
  [59.2, "1:00"],
  [59, "0:59"],
  [0.4, "0:01"],
  [0, "0:00"],
  [-3, "0:00"],
])("%d seconds count down as %s", (seconds, shown) => {
  expect(formatCountdown(seconds)).toBe(shown);
});
