/** The one list behind `npm run check` and CI. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stepBudgets } from "../budget/budget.ts";
import { budgetStep, commandFor, stages, testStep } from "./steps.ts";

const root = join(import.meta.dirname, "..", "..");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const steps = stages.flat(2);
const commands = steps.flatMap(({ command, inCi }) => (inCi === undefined ? [command] : [command, inCi]));
const namesIn = (stage: number) => (stages[stage] ?? []).flat().map(({ name }) => name);

test("each step has a name of its own: a failed one is told by it", () => {
  expect(new Set(steps.map(({ name }) => name)).size).toBe(steps.length);
});

test("every script that a step calls is there", () => {
  const called = commands.filter(([program]) => program === "npm");
  expect(called.length).toBeGreaterThan(8);
  for (const [, ...words] of called) {
    const script = words[0] === "run" ? words.find((word, at) => at > 0 && !word.startsWith("--")) : words[0];
    expect(scripts).toHaveProperty([script ?? ""]);
  }
});

test("every check that has a script is a step", () => {
  const checks = Object.keys(scripts).filter((name) => name.startsWith("check:"));
  const called = new Set(commands.flat());
  expect(checks.filter((name) => !called.has(name))).toEqual([]);
});

test("what was seen in the tests is compared after them, in the same lane", () => {
  const lane = stages.flat().find((each) => each.some(({ name }) => name === testStep));
  expect(lane?.map(({ name }) => name)).toEqual([testStep, "documented replies"]);
});

test("a person runs the tests beside the code, CI all but campaigns; only after all are replies compared", () => {
  const tests = steps.find(({ name }) => name === testStep);
  expect(tests?.command).toEqual(["npm", "test"]);
  expect(tests?.inCi).toContain("test:all");
  expect(scripts["test:all"]).toBe("node tools/bootstrap.mjs test --project=!campaign");
  expect(steps.find(({ name }) => name === "documented replies")?.onlyInCi).toBe(true);
});

test("the crash campaign is for CI", () => {
  expect(steps.filter(({ onlyInCi }) => onlyInCi !== true).map(({ name }) => name)).not.toContain("crash campaign");
});

test("every step has a budget, judged when all others have ended", () => {
  expect(namesIn(stages.length - 1)).toEqual([budgetStep]);
  const others = steps.map(({ name }) => name).filter((name) => name !== budgetStep);
  expect(Object.keys(stepBudgets).sort()).toEqual(others.sort());
});

test.each([
  ["docs/guides/payouts.md", ["tests", "format and lint", "tidy", "generated files"]],
  ["web/console/home.tsx", ["tests", "format and lint", "types", "import boundaries", "unused code", "tidy"]],
])("a change of %s leaves out what does not read it", (file, expected) => {
  const own = steps.filter(({ name, onlyInCi }) => onlyInCi !== true && name !== budgetStep);
  expect(own.filter((step) => commandFor(step, "HEAD", [file]) !== undefined).map(({ name }) => name)).toEqual(
    expected,
  );
  const tests = own.find(({ name }) => name === testStep);
  expect(tests && commandFor(tests, "main", [file])).toEqual(["npm", "test", "--", "--changed=main"]);
});

test("words for a script come after two dashes, or npm would take them", () => {
  for (const command of commands) {
    const [program, ...words] = command;
    if (program !== "npm" || words[0] !== "run") continue;
    const script = words.findIndex((word, at) => at > 0 && !word.startsWith("--"));
    const further = words.slice(script + 1);
    expect(further.length === 0 || further[0] === "--").toBe(true);
  }
});
