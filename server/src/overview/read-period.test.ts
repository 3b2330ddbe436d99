import { describe, expect, test } from "vitest";
import { stepsOf } from "../platform/time/period-steps.ts";
import { readPeriod } from "./routes.ts";

/** Half past midnight on the 15th in Lagos. */
const now = new Date("2026-11-14T23:30:00.000Z");
const iso = ({ from, to }: { from: Date; to: Date }) => [from.toISOString(), to.toISOString()];

describe("a period", () => {
  test("is the last thirty days of Lagos, today among them, unless it is said", () => {
    const period = readPeriod({}, now);
    expect(iso(period)).toEqual(["2026-10-16T23:00:00.000Z", "2026-11-14T23:30:00.000Z"]);
    expect(stepsOf(period)).toHaveLength(30);
  });

  test("by the hour is the last day", () => {
    const period = readPeriod({ by: "hour" }, now);
    expect(iso(period)).toEqual(["2026-11-13T23:00:00.000Z", "2026-11-14T23:30:00.000Z"]);
    expect(stepsOf(period)).toHaveLength(25);
  });

  test("of dates has whole days, the last one included", () => {
    const period = readPeriod({ from: "2026-11-01", to: "2026-11-02" }, now);
    expect(iso(period)).toEqual(["2026-10-31T23:00:00.000Z", "2026-11-02T23:00:00.000Z"]);
    expect(stepsOf(period).map((at) => at.toISOString())).toEqual([
      "2026-10-31T23:00:00.000Z",
      "2026-11-01T23:00:00.000Z",
    ]);
  });

  test("that begins within a step has the whole step's beginning", () => {
    const period = readPeriod({ from: "2026-11-01T08:20:00Z", to: "2026-11-01T09:00:00Z", by: "hour" }, now);
    expect(stepsOf(period).map((at) => at.toISOString())).toEqual(["2026-11-01T08:00:00.000Z"]);
  });

  test.each([
    [{ from: "2026-08-15", to: "2026-11-14" }, 92],
    [{ from: "2026-11-08", to: "2026-11-14", by: "hour" as const }, 168],
    [{ from: "2027-01-01" }, 0],
  ])("%o may be asked for", (query, steps) => expect(stepsOf(readPeriod(query, now))).toHaveLength(steps));

  test.each([
    { from: "2026-08-14", to: "2026-11-14" },
    { from: "2026-11-07", to: "2026-11-14", by: "hour" as const },
    { from: "2020-01-01" },
    { from: "2026-11-02", to: "2026-10-01" },
  ])("%o is refused", (query) => {
    expect(() => readPeriod(query, now)).toThrow(expect.objectContaining({ code: "validation_failed" }));
  });
});
