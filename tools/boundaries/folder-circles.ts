/** Folders that import each other in a circle: neither can be read, tested or moved without the other. */
import { dirname } from "node:path/posix";

export interface Import {
  readonly from: string;
  readonly to: string;
}

/**
 * A slice describes its whole folder, so it imports from every room of it; nothing in the folder imports the slice.
 * What the composition roots collect is in no circle either, because nothing imports them.
 */
const descriptions = /\/slice(-description)?\.ts$/;

/** Imports that close a circle and stay, each with its reason. */
const known: Readonly<Record<string, string>> = {
  "server/src/platform/time/clock-problems.ts → server/src/platform/http/wire.ts":
    "The clock's refusals carry times in the words of the wire; HTTP reads dates and spans with time/.",
  "server/src/platform/database/environment-doors.ts → server/src/platform/work/turns.ts":
    "Turns import nothing, and callers of the database wait in them; work/ keeps the three ways to wait together.",
  "server/src/platform/database/sandbox-share.ts → server/src/platform/work/turns.ts":
    "As above: sandboxes wait for their share of the pool.",
};

/** Each circle as the imports that make it: from a folder of server/src to another that leads back. */
export function folderCircles(imports: readonly Import[]): string[] {
  const between = imports.filter(
    ({ from, to }) =>
      [from, to].every((path) => path.startsWith("server/src/")) &&
      dirname(from) !== dirname(to) &&
      !/\.test\.tsx?$/.test(from) &&
      !descriptions.test(from) &&
      known[`${from} → ${to}`] === undefined,
  );
  const next = Map.groupBy(between, ({ from }) => dirname(from));
  const closing = between.filter(({ from, to }) => leadsTo(next, dirname(to), dirname(from)));
  return closing.map(({ from, to }) => `${from} → ${to}`).sort();
}

function leadsTo(next: ReadonlyMap<string, readonly Import[]>, start: string, goal: string): boolean {
  const seen = new Set([start]);
  for (const folder of seen) {
    for (const { to } of next.get(folder) ?? []) seen.add(dirname(to));
  }
  return seen.has(goal);
}
