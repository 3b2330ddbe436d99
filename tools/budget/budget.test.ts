import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dearest, dearFiles, filesOver, findOverruns } from "./budget.ts";

const root = join(import.meta.dirname, "..", "..");
const rules = { budgets: { tests: 100 }, dear: { "tests/slow.test.ts": "It starts a server." } };
const judge = (files: Record<string, number>, steps: Record<string, number>, pace = 1) =>
  findOverruns({ files: new Map(Object.entries(files)), steps: new Map(Object.entries(steps)) }, pace, rules);

test("what is within its budget passes, and a listed file may cost more", () => {
  expect(judge({ "a.test.ts": 10, "tests/slow.test.ts": 80 }, { tests: 100 })).toEqual([]);
});

test("a step over its budget, a file over its own, and a step without any are named", () => {
  const overruns = judge({ "a.test.ts": 11 }, { tests: 101, lint: 1 });
  expect(overruns.map((overrun) => overrun.split(":")[0])).toEqual(["tests", "lint", "a.test.ts"]);
});

test("a machine that takes twice as long may take twice as long", () => {
  expect(judge({ "a.test.ts": 19 }, { tests: 199 }, 2)).toEqual([]);
  expect(judge({ "a.test.ts": 23 }, { tests: 203 }, 2)).toHaveLength(2);
});

test("only files over their budget without a reason are measured again", () => {
  const files = new Map(Object.entries({ "a.test.ts": 10, "b.test.ts": 10.4, "tests/slow.test.ts": 80 }));
  expect(filesOver(files, 1, rules.dear)).toEqual(["b.test.ts"]);
  expect(filesOver(files, 1.1, rules.dear)).toEqual([]);
});

test("the dearest files come first", () => {
  const files = new Map([
    ["a", 1],
    ["b", 3],
    ["c", 2],
  ]);
  expect(dearest(files, 2)).toEqual([
    ["b", 3],
    ["c", 2],
  ]);
});

test("every file of the list is there and has a reason", () => {
  for (const [file, reason] of Object.entries(dearFiles)) {
    expect(existsSync(join(root, file)), file).toBe(true);
    expect(reason.length).toBeGreaterThan(10);
  }
});
