/** The id by which a biller knows a bill, in the style that its rail wants. */
import { lagosTime } from "../platform/time/lagos-date.ts";
import type { RequestIdStyle } from "../rails/biller.ts";

export function newRequestId(bill: { readonly id: string; readonly requestIds: RequestIdStyle }, now: Date): string {
  if (bill.requestIds === "uuid") return bill.id;
  const { year, month, day, hour, minute } = lagosTime(now);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${year}${[month, day, hour, minute].map(two).join("")}${bill.id.replaceAll("-", "")}`;
}
