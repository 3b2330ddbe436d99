/** Due dates are calendar dates in Lagos: they have no hour, and are not moved for weekends or holidays. */
import type { TenorType } from "./product.ts";

/**
 * The date after `count` periods. Always counted from the first date, never from the one before: a month that is too
 * short ends a period early and the next one is back on its day (31 January, 28 February, 31 March).
 */
export function dateAfter(start: Temporal.PlainDate, tenorType: TenorType, count: number): Temporal.PlainDate {
  if (tenorType === "daily") return start.add({ days: count });
  if (tenorType === "weekly") return start.add({ weeks: count });
  return start.add({ months: count }, { overflow: "constrain" });
}
