/**
 * `npm run check`, with --changed[=COMMIT] what a change concerns, and with --ci what `.ci/run` does. Each step prints
 * its time; a failed one does not keep the later ones from running, so that one run shows everything that is wrong.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { costsFolder } from "../budget/budget.ts";
import { changedFiles } from "../suites.mjs";
import { runLanes } from "./lanes.ts";
import { playStep } from "./play-step.ts";
import { budgetStep, commandFor, type Step, stages, testStep } from "./steps.ts";
import { tally } from "./tally.ts";

const results = join(import.meta.dirname, "..", "..", "test-results");
const words = process.argv.slice(2).map((word) => (word === "--changed" ? "--changed=HEAD" : word));
const { values } = parseArgs({ args: words, options: { ci: { type: "boolean" }, changed: { type: "string" } } });
const isCi = values.ci === true;
const since = values.changed;
const changed = since === undefined ? [] : changedFiles(join(import.meta.dirname, "..", ".."), since);
const colour = process.stdout.isTTY ? { FORCE_COLOR: "1" } : {};
const env = { ...process.env, ...(isCi ? { CI: "true", NO_COLOR: "1" } : colour) };

const failed: string[] = [];
const costs = new Map<string, number>();
let testOutput = "";

/** Prints what a step prints, between its name and its time. What the tests print is kept too: it is counted. */
async function run(step: Step, print: (text: string) => void): Promise<void> {
  const { name } = step;
  const command = commandOf(step);
  if (command === undefined) return print(`=== ${name}: reads nothing that was changed\n`);
  print(`=== ${name}\n`);
  if (name === budgetStep) keepCosts();
  const { isGood, seconds, processorSeconds, output } = await playStep(command, env, print);
  if (processorSeconds !== undefined) costs.set(name, processorSeconds);
  if (name === testStep) testOutput = output;
  if (!isGood) failed.push(name);
  const cost = processorSeconds === undefined ? "" : ` (${processorSeconds} s of processor time)`;
  print(`--- ${name}: ${isGood ? "passed" : "FAILED"} in ${seconds} s${cost}\n`);
}

function commandOf(step: Step): Step["command"] | undefined {
  if (since !== undefined) return commandFor(step, since, changed);
  return isCi ? (step.inCi ?? step.command) : step.command;
}

/** Beside what each test file cost; the step that reads it has cost nothing so far. */
function keepCosts(): void {
  mkdirSync(costsFolder, { recursive: true });
  writeFileSync(join(costsFolder, "steps.tsv"), [...costs].map(([name, cost]) => `${name}\t${cost}\n`).join(""));
}

async function runAll(): Promise<void> {
  rmSync(results, { recursive: true, force: true });
  for (const stage of stages) {
    const lanes = stage.map((lane) => lane.filter(({ onlyInCi }) => isCi || onlyInCi !== true));
    await runLanes(lanes, run, (text) => process.stdout.write(text));
  }
  const screenshots = join(results, "screenshots");
  const pictures = existsSync(screenshots) ? readdirSync(screenshots).length : 0;
  console.log(`\nPictures of every page: test-results/screenshots (${pictures} files)`);
  for (const name of failed) console.log(`Failed: ${name}`);
  const { passed, failed: count, isGood } = tally(testOutput, failed);
  console.log(`${passed} passed, ${count} failed`);
  process.exitCode = isGood ? 0 : 1;
}

await runAll();
