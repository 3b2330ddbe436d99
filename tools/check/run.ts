/**
 * `npm run check`, and with --ci what `.ci/run` does. Each step prints its time; a failed step does not keep the later
 * ones from running, so that one run shows everything that is wrong.
 */
import { spawn } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Step, steps, testStep } from "./steps.ts";
import { tally } from "./tally.ts";

const root = join(import.meta.dirname, "..", "..");
const results = join(root, "test-results");
const isCi = process.argv.includes("--ci");
const env = isCi ? { ...process.env, CI: "true", NO_COLOR: "1" } : process.env;

/** Runs a step and shows what it prints. What it printed is only kept where somebody counts in it. */
async function run({ name, command: [program, ...rest] }: Step): Promise<{ isGood: boolean; output: string }> {
  const isCounted = name === testStep;
  const child = spawn(program, rest, { cwd: root, env, stdio: ["ignore", isCounted ? "pipe" : "inherit", "inherit"] });
  let output = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    process.stdout.write(text);
  });
  const isGood = await new Promise<boolean>((resolve) => {
    child.once("error", () => resolve(false));
    child.once("close", (code) => resolve(code === 0));
  });
  return { isGood, output };
}

async function runAll(): Promise<void> {
  rmSync(results, { recursive: true, force: true });
  const failed: string[] = [];
  let testOutput = "";
  for (const step of steps.filter(({ onlyInCi }) => isCi || onlyInCi !== true)) {
    console.log(`=== ${step.name}`);
    const started = Date.now();
    const { isGood, output } = await run(step);
    if (step.name === testStep) testOutput = output;
    if (!isGood) failed.push(step.name);
    console.log(`--- ${step.name}: ${isGood ? "passed" : "FAILED"} in ${Math.round((Date.now() - started) / 1_000)} s`);
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
