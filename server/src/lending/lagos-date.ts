/** Due dates are calendar dates in Lagos: they have no hour, and are not moved for weekends or holidays. */
import type { TenureType } from "./product.ts";

const zone = "Africa/Lagos";

/** The date in Lagos at a moment. */
export function lagosDate(moment: Date): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(zone).toPlainDate();
}

/** The moment at which a date begins in Lagos. */
export function startOfLagosDay(date: Temporal.PlainDate): Date {
  return new Date(date.toZonedDateTime(zone).epochMilliseconds);
}

export function isAfter(one: Temporal.PlainDate, other: Temporal.PlainDate): boolean {
  return Temporal.PlainDate.compare(one, other) > 0;
}

/** Days from one date to a later one; negative the other way. */
export function daysBetween(from: Temporal.PlainDate, to: Temporal.PlainDate): number {
  return from.until(to, { largestUnit: "day" }).days;
}

/**
 * The date after `count` periods. Always counted from the first date, never from the one before: a month that is too
 * short ends a period early and the next one is back on its day (31 January, 28 February, 31 March).
 */
export function dateAfter(start: Temporal.PlainDate, tenureType: TenureType, count: number): Temporal.PlainDate {
  if (tenureType === "daily") return start.add({ days: count });
  if (tenureType === "weekly") return start.add({ weeks: count });
  return start.add({ months: count }, { overflow: "constrain" });
}
