import { expect, test } from "vitest";
import { moment } from "./words.ts";

test("a moment has a year where it is not this one, by the calendar of Lagos", () => {
  const now = new Date("2026-11-17T09:00:00Z");
  expect(moment("2026-11-17T08:00:00Z", now)).toBe("17 Nov, 09:00:00");
  expect(moment("2027-12-21T08:00:00Z", now)).toBe("21 Dec 2027, 09:00:00");
  expect(moment("2026-12-31T23:30:00Z", now)).toBe("01 Jan 2027, 00:30:00");
  expect(moment(null, now)).toBe("");
});
