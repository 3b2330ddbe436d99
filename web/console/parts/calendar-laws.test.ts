/** Days and moments over the years: always those of Lagos, an hour before Greenwich, in summer and in winter. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  formatCountdown,
  formatDate,
  formatDayOfYear,
  formatMoment,
  formatMonth,
  formatShortDate,
} from "../../shared/calendar.ts";
import { lagosDay, lagosTime, utcMoment } from "./figures.ts";

const moments = fc.date({
  min: new Date("2024-01-01T00:00:00.000Z"),
  max: new Date("2049-12-31T23:59:59.999Z"),
  noInvalidDate: true,
});
/** The same moment, an hour on: its fields in UTC are what a clock in Lagos shows. */
const inLagos = (moment: Date) => new Date(moment.getTime() + 3_600_000);
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const two = (value: number) => String(value).padStart(2, "0");

test("every moment is told by the calendar and the clock of Lagos", () => {
  fc.assert(
    fc.property(moments, (moment) => {
      const there = inLagos(moment);
      const day = `${there.getUTCDate()} ${months[there.getUTCMonth()]} ${there.getUTCFullYear()}`;
      const clock = [there.getUTCHours(), there.getUTCMinutes(), there.getUTCSeconds()].map(two).join(":");
      expect(lagosDay(moment.toISOString())).toBe(day);
      expect(formatDayOfYear(moment.toISOString())).toBe(day);
      expect(lagosTime(moment.toISOString())).toBe(clock);
    }),
  );
});

test("the UTC that is at hand is the very moment, to the millisecond", () => {
  fc.assert(
    fc.property(moments, (moment) => {
      const told = utcMoment(moment.toISOString());
      expect(Date.parse(told.replace(" UTC", "Z").replace(" ", "T"))).toBe(moment.getTime());
    }),
  );
});

test("all forms of one date name the same day and month", () => {
  fc.assert(
    fc.property(moments, (moment) => {
      const date = moment.toISOString().slice(0, 10);
      const [day, month, year] = formatDayOfYear(date).split(" ");
      expect(formatShortDate(date)).toBe(`${day} ${month}`);
      expect(formatMonth(date)).toBe(month);
      expect(formatDate(date)).toMatch(new RegExp(`^${day} ${month}[a-z]* ${year}$`));
    }),
  );
});

test("a date without a time is that date: no zone makes it the day before", () => {
  fc.assert(
    fc.property(moments, (moment) => {
      const date = moment.toISOString().slice(0, 10);
      expect(formatShortDate(date)).toBe(`${moment.getUTCDate()} ${months[moment.getUTCMonth()]}`);
    }),
  );
});

test.each([
  ["2026-12-15T05:00:00.000Z", "15 December 2026, 06:00"],
  ["2026-12-31T23:00:00.000Z", "1 January 2027, 00:00"],
  ["2028-02-29T22:59:00.000Z", "29 February 2028, 23:59"],
  ["2026-09-30T11:05:59.999Z", "30 September 2026, 12:05"],
])("%s is told with its hour as %s", (moment, told) => {
  expect(formatMoment(moment)).toBe(told);
});

test.each(["", "never", "2026-13-01", "2026-12-15T25:00:00Z"])("%j is no date, and no other is made of it", (text) => {
  for (const format of [formatDate, formatShortDate, formatMoment, formatMonth, lagosDay, lagosTime, utcMoment])
    expect(() => format(text)).toThrow(RangeError);
});

test("a countdown never shows less than is left, nor a second more", () => {
  fc.assert(
    fc.property(fc.nat({ max: 36_000_000 }), (milliseconds) => {
      const seconds = milliseconds / 1_000;
      const [minutes = "", rest = ""] = formatCountdown(seconds).split(":");
      const told = Number(minutes) * 60 + Number(rest);
      expect(rest).toMatch(/^[0-5]\d$/);
      expect(told).toBeGreaterThanOrEqual(seconds);
      expect(told - seconds).toBeLessThan(1);
    }),
  );
});
