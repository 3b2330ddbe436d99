/** `npm run check:budget`, after tests or `npm run check`: fails when the checks cost more processor time than they may. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Costs, costsFolder, dearest, findOverruns, paceName } from "./budget.ts";
import { paceOf } from "./pace.ts";

/** Each worker has a file of its own; a line is a name and seconds. */
function readCosts(): Costs & { readonly paces: readonly number[] } {
  const costs = { files: new Map<string, number>(), steps: new Map<string, number>(), paces: [] as number[] };
  for (const name of existsSync(costsFolder) ? readdirSync(costsFolder) : []) {
    const into = name === "steps.tsv" ? costs.steps : costs.files;
    for (const line of readFileSync(join(costsFolder, name), "utf8").split("\n")) {
      const [what = "", seconds] = line.split("\t");
      if (what === paceName) costs.paces.push(Number(seconds));
      else if (what !== "") into.set(what, (into.get(what) ?? 0) + Number(seconds));
    }
  }
  return costs;
}

const costs = readCosts();
const pace = paceOf(costs.paces);
if (costs.files.size === 0) {
  console.error("Nothing was measured: no test has run. Run: npm test");
  process.exitCode = 1;
} else {
  const overruns = findOverruns(costs, pace);
  const steps = [...costs.steps].map(([name, seconds]) => `${name} ${seconds} s`).join(", ");
  console.log(`Pace ${Math.round(pace * 100) / 100}. Processor time: ${steps || "no steps"}. The dearest files:`);
  for (const [file, seconds] of dearest(costs.files, 15)) {
    console.log(`  ${String(Math.round(seconds)).padStart(4)} s  ${file}`);
  }
  for (const overrun of overruns) console.error(overrun);
  process.exitCode = overruns.length === 0 ? 0 : 1;
}
