/** `npm run check:budget`, after tests or `npm run check`: fails when the checks cost more processor time than they may. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Costs, costsFolder, dearest, filesOver, findOverruns, paceName } from "./budget.ts";
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

/** A worse overrun than a few files is no accident of one run. */
const mostMeasuredAgain = 4;

/**
 * The same file can cost three times as much next to other work as alone. So a file over its budget runs once more by
 * itself, and the lower of both figures counts.
 */
function measureAgain(files: readonly string[]): Map<string, number> {
  const measured = new Map<string, number>();
  for (const file of files.slice(0, mostMeasuredAgain)) {
    console.log(`${file} is over its budget. Running it once more, alone.`);
    const { status, stdout } = spawnSync("npm", ["test", "--", file], { encoding: "utf8" });
    const alone = readCosts();
    const seconds = alone.files.get(file);
    if (status !== 0 || seconds === undefined) console.error(stdout);
    else measured.set(file, seconds / paceOf(alone.paces));
  }
  return measured;
}

/** A run of one file has emptied the folder; whoever asks again should see the whole. */
function keepCosts({ files, steps }: Costs, paces: readonly number[]): void {
  const lines = (found: Iterable<readonly [string, number]>) =>
    [...found].map(([what, cost]) => `${what}\t${cost}\n`).join("");
  rmSync(costsFolder, { recursive: true, force: true });
  mkdirSync(costsFolder, { recursive: true });
  writeFileSync(join(costsFolder, "files.tsv"), lines(files) + lines(paces.map((pace) => [paceName, pace] as const)));
  writeFileSync(join(costsFolder, "steps.tsv"), lines(steps));
}

const first = readCosts();
const pace = paceOf(first.paces);
const files = new Map(first.files);
const costs: Costs = { files, steps: first.steps };
const suspects = filesOver(first.files, pace);
if (suspects.length > 0) {
  for (const [file, seconds] of measureAgain(suspects)) {
    files.set(file, Math.min(files.get(file) ?? seconds, seconds * pace));
  }
  keepCosts(costs, first.paces);
}
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
