/** `npm run check:budget`, after tests or `npm run check`: fails when the checks cost more processor time than they may. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Costs, costsFolder, dearest, findOverruns } from "./budget.ts";

/** What the work below takes on the machine for which the budgets were set. */
const referenceMs = 100;

/** How fast this machine is now: 1 on the reference or a faster one, 2 on one that takes twice as long. */
function measurePace(): number {
  const times = Array.from({ length: 7 }, () => workloadMs());
  return Math.max(1, Math.min(...times) / referenceMs);
}

/** Strings, objects and their garbage, as the tests make them. */
function workloadMs(): number {
  const before = process.cpuUsage();
  const record = { id: "0198", amount: 2_500, tags: ["a", "b"], nested: { at: "2026-11-01T00:00:00.000Z", ok: true } };
  let size = 0;
  for (let count = 0; count < 60_000; count += 1) size += JSON.stringify(JSON.parse(JSON.stringify(record))).length;
  if (size === 0) throw new Error("nothing was written");
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Each worker has a file of its own; a line is a name and seconds. */
function readCosts(): Costs {
  const costs = { files: new Map<string, number>(), steps: new Map<string, number>() };
  for (const name of existsSync(costsFolder) ? readdirSync(costsFolder) : []) {
    const into = name === "steps.tsv" ? costs.steps : costs.files;
    for (const line of readFileSync(join(costsFolder, name), "utf8").split("\n")) {
      const [what = "", seconds] = line.split("\t");
      if (what !== "") into.set(what, (into.get(what) ?? 0) + Number(seconds));
    }
  }
  return costs;
}

const costs = readCosts();
const pace = measurePace();
if (costs.files.size === 0) {
  console.error("Nothing was measured: no test has run. Run: npm test");
  process.exitCode = 1;
} else {
  const overruns = findOverruns(costs, pace);
  const steps = [...costs.steps].map(([name, seconds]) => `${name} ${seconds} s`).join(", ");
  console.log(
    `Processor time at a pace of ${Math.round(pace * 100) / 100}: ${steps || "no steps"}. The dearest files:`,
  );
  for (const [file, seconds] of dearest(costs.files, 15)) {
    console.log(`  ${String(Math.round(seconds)).padStart(4)} s  ${file}`);
  }
  for (const overrun of overruns) console.error(overrun);
  process.exitCode = overruns.length === 0 ? 0 : 1;
}
