/** Dates as people in Nigeria read them. A due date is a calendar date of Lagos, wherever the customer is. */
const zone = "Africa/Lagos";
const longForm = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: zone });
const shortForm = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: zone });
const monthForm = new Intl.DateTimeFormat("en-GB", { month: "short", timeZone: zone });

/** 15 December 2026. */
export function formatDate(date: string): string {
  return longForm.format(new Date(date));
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
