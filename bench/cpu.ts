/**
 * How much a process has computed, with its children, in milliseconds. On a machine that others use too this says more
 * than the clock on the wall. Linux tells it under /proc; elsewhere it is not a number.
 */
import { readdirSync, readFileSync } from "node:fs";

const tickMs = 10;

export function cpuMsOf(processId: number): number {
  const own = statOf(processId);
  return own === undefined ? Number.NaN : own.cpuMs + own.endedChildrenMs + livingChildrenMs(processId);
}

function livingChildrenMs(processId: number): number {
  const stats = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)));
  return stats.reduce((sum, stat) => sum + (stat?.parentId === processId ? stat.cpuMs : 0), 0);
}

/** Undefined for a process that has ended, and where there is no /proc. */
function statOf(processId: number) {
  try {
    const text = readFileSync(`/proc/${processId}/stat`, "latin1");
    // The name of the program stands in brackets and may have spaces.
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const ticks = (...places: number[]): number => places.reduce((sum, place) => sum + (fields[place] ?? 0), 0);
    return { parentId: fields[1], cpuMs: ticks(11, 12) * tickMs, endedChildrenMs: ticks(13, 14) * tickMs };
  } catch {
    return undefined;
  }
}
