/** Which period an overview is asked for, and whether it is short enough to be summed up at once. */
import { commonProblem } from "../platform/problem.ts";
import type { Period, StepWidth } from "../platform/records/overview.ts";
import { stepStart } from "../platform/time/period-steps.ts";
import { parseSpan } from "../platform/time/time-span.ts";

const dayMs = 86_400_000;

/** How many days a period has at most, and unless a caller says otherwise. */
export const mostDays = { day: 92, hour: 7 } as const satisfies Record<StepWidth, number>;
export const usualDays = { day: 30, hour: 1 } as const satisfies Record<StepWidth, number>;

interface PeriodQuery {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly by?: StepWidth | undefined;
}

/** Up to `now` unless told otherwise. Throws validation_failed for a period that is too long. */
export function readPeriod({ by = "day", ...query }: PeriodQuery, now: Date): Period {
  const asked = parseSpan(query);
  const to = asked.to ?? (asked.from !== null && asked.from > now ? asked.from : now);
  const from = asked.from ?? stepStart(new Date(to.getTime() - (usualDays[by] - (by === "day" ? 1 : 0)) * dayMs), by);
  if (to.getTime() - from.getTime() > mostDays[by] * dayMs) {
    const message = `must be at most ${mostDays[by]} days before to, by the ${by}`;
    throw commonProblem("validation_failed", { errors: [{ field: "from", message }] });
  }
  return { from, to, by };
}
