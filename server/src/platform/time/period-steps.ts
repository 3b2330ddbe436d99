/** The hours or days of a period, by the clocks of Lagos. */
import { lagosTime } from "./lagos-date.ts";

export interface SteppedPeriod {
  readonly from: Date;
  readonly to: Date;
  readonly by: "hour" | "day";
}

/** When the hour or the day of a moment began. */
export function stepStart(moment: Date, by: SteppedPeriod["by"]): Date {
  return new Date(lagosTime(moment).round({ smallestUnit: by, roundingMode: "floor" }).epochMilliseconds);
}

/** The beginnings of all steps that a period touches. */
export function stepsOf({ from, to, by }: SteppedPeriod): Date[] {
  const steps: Date[] = [];
  const start = lagosTime(stepStart(from, by));
  for (let n = 0; ; n += 1) {
    const at = new Date(start.add(by === "day" ? { days: n } : { hours: n }).epochMilliseconds);
    if (at >= to) return steps;
    steps.push(at);
  }
}
