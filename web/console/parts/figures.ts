/** How the console writes money, moments and spans of time. Nothing is rounded: what the server says is what stands. */
import { formatNairaExactly, plainAmount } from "../../shared/naira.ts";

const zone = "Africa/Lagos";
const dayForm = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: zone });
const timeForm = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
  timeZone: zone,
});

/** ₦2,500.50. Amounts are numbers or text, always naira with at most two decimals. */
export function naira(amount: number | string): string {
  return formatNairaExactly(Number(amount));
}

/** What somebody typed, as the API takes it: "₦1,234.50" is 1234.5. NaN when it is no amount; the server then says so. */
export function typedNaira(text: string): number {
  const plain = plainAmount(text);
  return /^\d+(\.\d{1,2})?$/.test(plain) ? Number(plain) : Number.NaN;
}

/** 16 Nov 2026 */
export function lagosDay(moment: string): string {
  return dayForm.format(new Date(moment)).replace("Sept", "Sep");
}

/** 19:45:31 */
export function lagosTime(moment: string): string {
  return timeForm.format(new Date(moment));
}

/** 2026-11-16 18:45:31.284 UTC */
export function utcMoment(moment: string): string {
  return `${new Date(moment).toISOString().replace("T", " ").replace("Z", "")} UTC`;
}

const units = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1_000, "s"],
] as const;

/** 38 ms, 2.1 s, 4 min 5 s, 2 d 3 h: the two largest units. */
export function span(milliseconds: number): string {
  const whole = Math.max(0, Math.round(milliseconds));
  if (whole < 1_000) return `${whole} ms`;
  if (whole < 10_000) return `${Math.round(whole / 100) / 10} s`;
  let rest = whole;
  const parts: string[] = [];
  for (const [size, unit] of units) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
    if (parts.length === 2) break;
  }
  return parts.join(" ");
}

/** "processing_late" and "kycStatus" as a person writes them: Processing late, Kyc status. */
export function words(name: string): string {
  const spaced = name.replaceAll(/[_.-]+/g, " ").replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2");
  const lower = spaced.toLowerCase().trim();
  return lower.charAt(0).toUpperCase() + lower.slice(1);
}

/** "1 month", "3 months": a count with its word, which takes an s where it is not one. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-NG")} ${count === 1 ? one : many}`;
}

const personal = /^(nin|bvn|card_?number|pan|cvv|secret|key|token|password)$/i;

/** A record as it may be shown: what identifies a person or opens a door keeps its last four characters. */
export function masked(value: unknown, name = ""): unknown {
  if ((typeof value === "string" || typeof value === "number") && personal.test(name)) return lastFour(String(value));
  if (Array.isArray(value)) return value.map((item) => masked(item, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, masked(inner, key)]));
}

/** ••••6782 */
export function lastFour(value: string): string {
  return value.length <= 4 ? "••••" : `••••${value.slice(-4)}`;
}
