import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { daysBetween, isAfter, lagosDate, lagosTime, startOfLagosDay } from "./lagos-date.ts";
import { stepStart, stepsOf } from "./period-steps.ts";

const day = (text: string) => Temporal.PlainDate.from(text);
const moments = fc.date({ min: new Date("2000-01-01"), max: new Date("2200-01-01"), noInvalidDate: true });

describe("the date in Lagos", () => {
  test.each([
    ["2026-12-31T22:59:59.999Z", "2026-12-31"],
    ["2026-12-31T23:00:00.000Z", "2027-01-01"],
    ["2028-02-28T22:59:59.999Z", "2028-02-28"],
    ["2028-02-28T23:00:00.000Z", "2028-02-29"],
    ["2028-02-29T23:00:00.000Z", "2028-03-01"],
    ["2027-02-28T23:00:00.000Z", "2027-03-01"],
    // 2100 is no leap year.
    ["2100-02-28T23:00:00.000Z", "2100-03-01"],
    ["2026-04-30T23:00:00.000Z", "2026-05-01"],
    // Europe changes its clocks; Lagos does not.
    ["2026-03-29T22:59:59.999Z", "2026-03-29"],
    ["2026-10-25T22:59:59.999Z", "2026-10-25"],
  ])("at %s is %s", (moment, date) => {
    expect(lagosDate(new Date(moment)).toString()).toBe(date);
  });

  test("begins at the moment from which on it is that date, and not a millisecond before", () => {
    fc.assert(
      fc.property(moments, (moment) => {
        const date = lagosDate(moment);
        const start = startOfLagosDay(date);
        expect(start <= moment && moment.getTime() - start.getTime() < 86_400_000).toBe(true);
        expect(lagosDate(start).equals(date)).toBe(true);
        expect(isAfter(date, lagosDate(new Date(start.getTime() - 1)))).toBe(true);
      }),
    );
  });

  test("is an hour ahead of London's winter, all year round", () => {
    fc.assert(
      fc.property(moments, (moment) => {
        expect(lagosTime(moment).offset).toBe("+01:00");
      }),
    );
  });
});

test.each([
  ["2026-11-17", "2026-11-17", 0],
  ["2026-12-31", "2027-01-01", 1],
  ["2028-02-28", "2028-03-01", 2],
  ["2027-02-28", "2027-03-01", 1],
  ["2027-01-01", "2026-01-01", -365],
  ["2028-01-01", "2029-01-01", 366],
])("from %s to %s are %d days", (from, to, days) => {
  expect(daysBetween(day(from), day(to))).toBe(days);
  expect(isAfter(day(to), day(from))).toBe(days > 0);
});

describe("the steps of a period", () => {
  const step = (from: string, to: string, by: "hour" | "day") =>
    stepsOf({ from: new Date(from), to: new Date(to), by }).map((at) => at.toISOString().slice(0, 16));

  test.each([
    ["2026-11-16T23:00:00Z", "2026-11-17T23:00:00Z", "day", ["2026-11-16T23:00"]],
    ["2026-11-16T22:59:59Z", "2026-11-16T23:00:01Z", "day", ["2026-11-15T23:00", "2026-11-16T23:00"]],
    [
      "2028-02-28T12:00:00Z",
      "2028-03-01T12:00:00Z",
      "day",
      ["2028-02-27T23:00", "2028-02-28T23:00", "2028-02-29T23:00"],
    ],
    ["2026-11-17T10:59:59Z", "2026-11-17T12:00:00Z", "hour", ["2026-11-17T10:00", "2026-11-17T11:00"]],
  ] as const)("from %s to %s by %s", (from, to, by, starts) => {
    expect(step(from, to, by)).toEqual(starts);
  });

  test.each(["hour", "day"] as const)("an empty period at the start of its %s has none", (by) => {
    expect(step("2026-11-16T23:00:00Z", "2026-11-16T23:00:00Z", by)).toEqual([]);
  });

  test("cover every moment once, without a gap", () => {
    const lengths = fc.integer({ min: 1, max: 40 * 86_400_000 });
    fc.assert(
      fc.property(moments, lengths, fc.constantFrom("hour", "day"), (from, length, by) => {
        const to = new Date(from.getTime() + length);
        const starts = stepsOf({ from, to, by });
        const size = by === "day" ? 86_400_000 : 3_600_000;
        expect(starts[0]).toEqual(stepStart(from, by));
        for (const [place, at] of starts.entries()) {
          expect(stepStart(at, by)).toEqual(at);
          expect(at.getTime()).toBe((starts[0]?.getTime() ?? 0) + place * size);
        }
        const last = starts.at(-1)?.getTime() ?? 0;
        expect(last < to.getTime() && last + size >= to.getTime()).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});
