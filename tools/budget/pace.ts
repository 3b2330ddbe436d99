/**
 * How fast the machine is while the tests run. A processor that other work shares does less in a second of its time, by
 * as much as half, so the pace is taken in the middle of that work: a quiet moment afterwards would tell another story.
 */

/** What the work below takes on the machine for which the budgets were set, when nothing else runs. */
const referenceMs = 100;

/** 1 on the reference machine, 2 where the same work takes twice as long. */
export function measurePace(): number {
  // The first time the engine still compiles it.
  return Math.min(workMs(), workMs()) / referenceMs;
}

function workMs(): number {
  const before = process.cpuUsage();
  const record = { id: "0198", amount: 2_500, tags: ["a", "b"], nested: { at: "2026-11-01T00:00:00.000Z", ok: true } };
  let size = 0;
  // Strings, objects and their garbage, as the tests make them.
  for (let count = 0; count < 60_000; count += 1) size += JSON.stringify(JSON.parse(JSON.stringify(record))).length;
  if (size === 0) throw new Error("nothing was written");
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** The median of what was measured; never under 1, so that a faster machine does not tighten a budget. */
export function paceOf(samples: readonly number[]): number {
  const sorted = [...samples].sort((one, other) => one - other);
  return Math.max(1, sorted[Math.floor(sorted.length / 2)] ?? 1);
}
