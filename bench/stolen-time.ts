/**
 * On a virtual machine the host may give the processors to others while we want them. It counts that, and a run that
 * lost a third of its time is not a slow program.
 */
import { readFileSync } from "node:fs";

export interface ProcessorTime {
  readonly all: number;
  readonly stolen: number;
}

/** Undefined where the system does not count it. */
export function readProcessorTime(read = () => readFileSync("/proc/stat", "latin1")): ProcessorTime | undefined {
  try {
    const [line = ""] = read().split("\n");
    // user, nice, system, idle, iowait, irq, softirq, steal; what follows is part of the first two.
    const times = line.split(/\s+/).slice(1, 9).map(Number);
    if (!line.startsWith("cpu ") || times.length < 8 || times.some(Number.isNaN)) return undefined;
    return { all: times.reduce((sum, time) => sum + time, 0), stolen: times[7] ?? 0 };
  } catch {
    return undefined;
  }
}

/** Of all the time of all processors between the two. */
export function stolenShare(from: ProcessorTime | undefined, to: ProcessorTime | undefined): number | undefined {
  if (from === undefined || to === undefined || to.all <= from.all) return undefined;
  return (to.stolen - from.stolen) / (to.all - from.all);
}
