/** The names of all events, and those that somebody may have meant. */
import { flows, liveOnly } from "./flows.ts";

export const eventNames: readonly string[] = [...Object.keys(flows), ...Object.keys(liveOnly)];

const mostSlips = 3;

/** The names that differ least from what was typed, if they differ little. */
export function closeTo(typed: string): string[] {
  const slips = eventNames.map((name) => [name, distance(typed, name)] as const);
  const fewest = Math.min(...slips.map(([, count]) => count));
  return fewest > mostSlips ? [] : slips.filter(([, count]) => count === fewest).map(([name]) => name);
}

/** How many letters have to be added, dropped or changed. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const [left = 0, above = 0, before = 0] = [next[j], row[j + 1], row[j]];
      next.push(Math.min(left + 1, above + 1, before + (letter === other ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
