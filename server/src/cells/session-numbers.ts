/**
 * Payouts of all cells go to the same banks, where no two may have the same session. The numbers in sessions are drawn
 * from a sequence of each database, so each cell counts in a range of its own, a billion from the next. Home counts in
 * the first.
 */
import { createHash } from "node:crypto";

const ranges = 899n;
const rangeSize = 1_000_000_000n;

/** The number from which a cell counts. Throws when two names lead to the same range. */
export function firstNumbers(names: Iterable<string>): ReadonlyMap<string, bigint> {
  const taken = new Map<bigint, string>();
  const first = new Map<string, bigint>();
  for (const name of names) {
    const range = 1n + (createHash("sha256").update(name).digest().readBigUInt64BE() % ranges);
    const other = taken.get(range);
    if (other !== undefined)
      throw new Error(`call one of the cells ${other} and ${name} otherwise: they would count alike`);
    taken.set(range, name);
    first.set(name, range * rangeSize);
  }
  return first;
}
