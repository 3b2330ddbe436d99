/** Dates as people in Nigeria read them. A due date is a calendar date of Lagos, wherever the customer is. */
const zone = "Africa/Lagos";
const longForm = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: zone });
const shortForm = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: zone });
const yearForm = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: zone });
const momentForm = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: zone });
const monthForm = new Intl.DateTimeFormat("en-GB", { month: "short", timeZone: zone });

/** 15 December 2026. */
export function formatDate(date: string): string {
  return longForm.format(new Date(date));
}

/** 15 Dec 2026, for columns. */
export function formatDayOfYear(date: string): string {
  return yearForm.format(new Date(date)).replace("Sept", "Sep");
}

/** 15 December 2026, 06:00. */
export function formatMoment(moment: string): string {
  return momentForm.format(new Date(moment)).replace(" at ", ", ");
}

/** 15 Dec. */
export function formatShortDate(date: string): string {
  return shortForm.format(new Date(date)).replace("Sept", "Sep");
}

/** Dec. */
export function formatMonth(date: string): string {
  return monthForm.format(new Date(date)).slice(0, 3);
}

/** 4:05, for what counts down. */
export function formatCountdown(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
