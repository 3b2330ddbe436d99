/** The calendar of Lagos, by which business days are kept. */
const zone = "Africa/Lagos";

/** What clocks in Lagos show at a moment. */
export function lagosTime(moment: Date): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(zone);
}

/** The date in Lagos at a moment. */
export function lagosDate(moment: Date): Temporal.PlainDate {
  return lagosTime(moment).toPlainDate();
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
