/**
 * `npm run check`, and with --ci what `.ci/run` does: every test, and campaigns. Each step prints its time; a failed
 * one does not keep the later ones from running, so that one run shows everything that is wrong.
 */
import { spawn } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runLanes } from "./lanes.ts";
import { type Step, stages, testStep } from "./steps.ts";
import { tally } from "./tally.ts";

const root = join(import.meta.dirname, "..", "..");
const results = join(root, "test-results");
const isCi = process.argv.includes("--ci");
const colour = process.stdout.isTTY ? { FORCE_COLOR: "1" } : {};
const env = { ...process.env, ...(isCi ? { CI: "true", NO_COLOR: "1" } : colour) };

const failed: string[] = [];
let testOutput = "";

/** Prints what a step prints, between its name and its time. What the tests print is kept too: somebody counts in it. */
async function run({ name, command, inCi = command }: Step, print: (text: string) => void): Promise<void> {
  const [program, ...rest] = isCi ? inCi : command;
  print(`=== ${name}\n`);
  const started = Date.now();
  const child = spawn(program, rest, { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", print);
  if (name === testStep) {
    child.stdout.on("data", (text: string) => {
      testOutput += text;
    });
  }
  const isGood = await new Promise<boolean>((resolve) => {
    child.once("error", () => resolve(false));
    child.once("close", (code) => resolve(code === 0));
  });
  if (!isGood) failed.push(name);
  print(`--- ${name}: ${isGood ? "passed" : "FAILED"} in ${Math.round((Date.now() - started) / 1_000)} s\n`);
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
