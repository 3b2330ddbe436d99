/** Money, times and states as people read them. */
import type { Screen } from "./screen.ts";

const naira = new Intl.NumberFormat("en-NG", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

export function money(amount: number | string | null | undefined): string {
  if (amount === null || amount === undefined) return "";
  return naira.format(typeof amount === "number" ? amount : (amount as unknown as number));
}

const lagos = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Africa/Lagos",
  day: "2-digit",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

const lagosTime = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Africa/Lagos",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

/** In Lagos, for what happens now. */
export function timeOfDay(iso: string): string {
  return lagosTime.format(new Date(iso));
}

const lagosYear = new Intl.DateTimeFormat("en-GB", { timeZone: "Africa/Lagos", year: "numeric" });

/** In Lagos. A year that is not this one is said: a sandbox's clock may be anywhere. */
export function moment(iso: string | null | undefined, now = new Date()): string {
  if (!iso) return "";
  const at = new Date(iso);
  const [year, time] = [lagosYear.format(at), lagos.format(at)];
  return year === lagosYear.format(now) ? time : time.replace(",", ` ${year},`);
}

const good = ["completed", "successful", "disbursed", "running", "approved", "delivered", "verified", "active"];
const bad = ["failed", "reversed", "rejected", "cancelled", "declined", "overdue", "expired", "disabled"];

/** Whether a payout or a bill has come to an end that nobody wanted. */
export function isBad(word: string): boolean {
  return bad.includes(word);
}

export function status({ colors }: Pick<Screen, "colors">, word: string): string {
  if (good.includes(word)) return colors.green(word);
  return bad.includes(word) ? colors.red(word) : colors.yellow(word);
}
