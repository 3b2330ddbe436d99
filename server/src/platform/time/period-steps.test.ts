import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { daysBetween, isAfter, lagosDate, startOfLagosDay } from "./lagos-date.ts";
import { stepStart, stepsOf } from "./period-steps.ts";

const at = (text: string) => new Date(text);
const moment = fc.date({ min: at("2020-01-01"), max: at("2035-01-01"), noInvalidDate: true });

describe("the hour and the day of a moment", () => {
  test.each([
    ["2026-11-02T08:59:59.999Z", "hour", "2026-11-02T08:00:00.000Z"],
    ["2026-11-02T08:00:00.000Z", "hour", "2026-11-02T08:00:00.000Z"],
    // In Lagos it is an hour later, so a day begins at eleven in the evening.
    ["2026-11-02T22:59:59.999Z", "day", "2026-11-01T23:00:00.000Z"],
    ["2026-11-02T23:00:00.000Z", "day", "2026-11-02T23:00:00.000Z"],
  ] as const)("%s began its %s at %s", (text, by, start) => {
    expect(stepStart(at(text), by).toISOString()).toBe(start);
  });
});

describe("the steps of a period", () => {
  test("are those that it touches, and its end is outside", () => {
    const period = { from: at("2026-11-02T08:30:00Z"), to: at("2026-11-02T10:00:00Z"), by: "hour" } as const;
    expect(stepsOf(period).map((step) => step.toISOString())).toEqual([
      "2026-11-02T08:00:00.000Z",
      "2026-11-02T09:00:00.000Z",
    ]);
  });

  test("of nothing are none, or the one that it lies in", () => {
    const noon = at("2026-11-02T12:00:00Z");
    expect(stepsOf({ from: noon, to: noon, by: "hour" })).toEqual([]);
    expect(stepsOf({ from: noon, to: new Date(noon.getTime() + 1), by: "hour" })).toEqual([noon]);
  });

  test("follow each other without a gap, and every moment of the period is in one of them", () => {
    const length = fc.integer({ min: 1, max: 40 * 86_400_000 });
    fc.assert(
      fc.property(moment, length, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (from, ms, share) => {
        const to = new Date(from.getTime() + ms);
        const steps = stepsOf({ from, to, by: "day" });
        const inside = new Date(from.getTime() + Math.floor(ms * share));
        expect(steps.map(Number)).toContain(stepStart(inside, "day").getTime());
        for (const [place, step] of steps.entries()) {
          if (place > 0) expect(step.getTime() - (steps[place - 1]?.getTime() ?? 0)).toBe(86_400_000);
        }
      }),
    );
  });
});

describe("a date in Lagos", () => {
  test("begins at its own first moment, and the moment before is the day before", () => {
    fc.assert(
      fc.property(moment, (any) => {
        const date = lagosDate(any);
        const start = startOfLagosDay(date);
        expect(start.getTime()).toBeLessThanOrEqual(any.getTime());
        expect(lagosDate(start).equals(date)).toBe(true);
        expect(daysBetween(lagosDate(new Date(start.getTime() - 1)), date)).toBe(1);
      }),
    );
  });

  test("is after another exactly when days lie between them", () => {
    fc.assert(
      fc.property(moment, moment, (one, other) => {
        const [a, b] = [lagosDate(one), lagosDate(other)];
        expect(isAfter(a, b)).toBe(daysBetween(b, a) > 0);
        expect(daysBetween(a, b)).toBe(0 - daysBetween(b, a));
      }),
    );
  });
});
