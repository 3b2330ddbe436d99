/** What the name of a plan or package tells. VTpass has no fields for it; what a name does not tell stays unknown. */

const hoursADay = 24;

/** "1.5GB" out of "N1000 1.5GB - 30 days". Of several sizes the first is the plan's, the others are extras. */
export function sizeIn(name: string): string | null {
  const found = /(\d+(?:,\d{3})*(?:\.\d+)?)\s*(TB|GB|MB)(?![a-z])/i.exec(name);
  if (found === null) return null;
  const [, amount = "", unit = ""] = found;
  return `${amount.replaceAll(",", "")}${unit.toUpperCase()}`;
}

type Unit = "hour" | "day" | "week" | "month" | "year";

interface Period {
  readonly count: number;
  readonly unit: Unit;
}

const units: readonly (readonly [RegExp, Unit])[] = [
  [/^h/, "hour"],
  [/^d/, "day"],
  [/^w/, "week"],
  [/^m/, "month"],
  [/^y/, "year"],
];

const counted = /(\d{1,4})\s*-?\s*(hours?|hrs?|days?|weeks?|wks?|months?|mths?|years?|yrs?)(?![a-z])/gi;

const named: readonly (readonly [RegExp, Period])[] = [
  [/\bdaily\b/i, { count: 1, unit: "day" }],
  [/\bweekly\b/i, { count: 1, unit: "week" }],
  [/\bmonthly\b/i, { count: 1, unit: "month" }],
  [/\bquarterly\b/i, { count: 3, unit: "month" }],
  [/\b(yearly|annual(ly)?)\b/i, { count: 1, unit: "year" }],
];

/** Extras come first and how long the whole runs comes last: "2GB + 1 hour of video - 30 days". */
function periodIn(name: string): Period | undefined {
  const last = [...name.matchAll(counted)].at(-1);
  if (last === undefined) return named.find(([word]) => word.test(name))?.[1];
  const [, count = "", written = ""] = last;
  const unit = units.find(([start]) => start.test(written.toLowerCase()))?.[1] ?? "day";
  return { count: Number(count), unit };
}

const daysOf: Readonly<Record<Exclude<Unit, "hour">, number>> = { day: 1, week: 7, month: 30, year: 365 };

/** Null as well for what ends within a day: three hours are not one day. */
export function daysIn(name: string): number | null {
  const period = periodIn(name);
  if (period === undefined || period.count === 0) return null;
  const { count, unit } = period;
  if (unit === "hour") return count % hoursADay === 0 ? count / hoursADay : null;
  return count * daysOf[unit];
}

/** Packages are sold by the month unless their name says otherwise; null for weeks and days. */
export function monthsIn(name: string): number | null {
  const period = periodIn(name);
  if (period === undefined) return 1;
  const { count, unit } = period;
  if (count === 0 || unit === "hour" || unit === "day" || unit === "week") return null;
  return unit === "year" ? count * 12 : count;
}
