/**
 * Runs before every test file (vitest's `setupFiles`) and writes down the processor time that the file takes: that of
 * its worker, and that of the processes it started, once they have ended. PostgreSQL belongs to the whole run.
 */
import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, expect } from "vitest";
import { costsFolder } from "./budget.ts";

const root = join(import.meta.dirname, "..", "..");

/** Linux counts in hundredths of a second, whatever its kernel's own tick is. */
const ticksPerSecond = 100;

const before = processorSeconds();

// Hooks of a setup file run around those of the file, so this one sees the end of what the file has started.
afterAll(() => {
  const spent = processorSeconds() - before;
  mkdirSync(costsFolder, { recursive: true });
  const file = relative(root, expect.getState().testPath ?? "");
  appendFileSync(join(costsFolder, `${process.pid}.tsv`), `${file}\t${Math.round(spent * 100) / 100}\n`);
});

function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000 + childSeconds();
}

/** Node tells nothing about children; Linux does. Elsewhere they are left out. */
function childSeconds(): number {
  if (process.platform !== "linux") return 0;
  const stat = readFileSync("/proc/self/stat", "utf8");
  // The program's name stands in brackets and may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
}
