/**
 * Runs before every test file (vitest's `setupFiles`) and writes down the processor time that the file takes: that of
 * its worker, and that of the processes it started, once they have ended. PostgreSQL belongs to the whole run.
 */
import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, expect } from "vitest";
import { costsFolder, paceName } from "./budget.ts";
import { measurePace } from "./pace.ts";

const root = join(import.meta.dirname, "..", "..");

/** Linux counts in hundredths of a second, whatever its kernel's own tick is. */
const ticksPerSecond = 100;

/** A worker takes the machine's pace after its first file and after each of so many: some fifty samples in a whole run. */
const filesBetweenPaces = 12;
/** Files of a worker share its global object, and nothing else of this module. */
const worker = globalThis as { measuredFiles?: number };

const before = processorSeconds();

// Hooks of a setup file run around those of the file, so this one sees the end of what the file has started.
afterAll(() => {
  const spent = processorSeconds() - before;
  write(relative(root, expect.getState().testPath ?? ""), spent);
  const measured = worker.measuredFiles ?? 0;
  if (measured % filesBetweenPaces === 0) write(paceName, measurePace());
  worker.measuredFiles = measured + 1;
});

function write(what: string, cost: number): void {
  mkdirSync(costsFolder, { recursive: true });
  appendFileSync(join(costsFolder, `${process.pid}.tsv`), `${what}\t${Math.round(cost * 100) / 100}\n`);
}

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
