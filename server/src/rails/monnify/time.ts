/** Monnify writes a moment in several ways. One without a zone is taken for Lagos, an hour ahead of UTC all year. */
import { textOf } from "../wire-json.ts";

const iso = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2}(?:\.\d+)?)(Z|[+-]\d{2}:?\d{2})?$/;
const byDay = /^(\d{2})\/(\d{2})\/(\d{4}) (\d{1,2}):(\d{2}):(\d{2}) ([AP])M$/i;

export function readMonnifyTime(value: unknown): Date | undefined {
  if (typeof value === "number") return valid(new Date(value));
  const text = textOf(value)?.trim() ?? "";
  const [, date, time, zone = "+01:00"] = iso.exec(text) ?? [];
  if (date !== undefined) return valid(new Date(`${date}T${time}${zone.replace(/(\d{2})(\d{2})$/, "$1:$2")}`));
  const [, day, month, year, hour, minute, second, half] = byDay.exec(text) ?? [];
  if (day === undefined) return undefined;
  const hours = (Number(hour) % 12) + (half?.toUpperCase() === "P" ? 12 : 0);
  return valid(new Date(`${year}-${month}-${day}T${String(hours).padStart(2, "0")}:${minute}:${second}+01:00`));
}

function valid(date: Date): Date | undefined {
  return Number.isNaN(date.getTime()) ? undefined : date;
}
