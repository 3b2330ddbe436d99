import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readTree, treeFile } from "./file.ts";
import { findUntidy } from "./find-untidy.ts";

const root = join(import.meta.dirname, "..", "..");

test("the tree is tidy", () => {
  const files = readTree(root);
  expect(files.length).toBeGreaterThan(50);
  expect(findUntidy(files)).toEqual([]);
});

const domainFile = "server/src/transfers/transfer.ts";
const lines = (count: number) => "const a = 1;\n".repeat(count);
const longFunction = `export function f() {\n${lines(59)}}\n`;

describe("a finding is reported for", () => {
  test.each([
    ["a file of 301 lines", domainFile, lines(301), "301 lines"],
    ["a migration of 301 lines", "server/migrations/0001-a.sql", "select 1;\n".repeat(301), "301 lines"],
    ["a line of 121 characters", domainFile, `const a = ${"b + ".repeat(28)};\n`, "characters"],
    ["a function of 61 lines", domainFile, longFunction, "function of 61 lines"],
    ["a method of 61 lines", domainFile, `const o = { f() {\n${lines(59)}} };`, "function of 61 lines"],
    ["a test of 61 lines", "server/src/a.test.ts", `test("a", () => {\n${lines(59)}});`, "function of 61 lines"],
    ["a name in camel case", "server/src/money/koboMath.ts", "", "not kebab-case"],
    ["a folder of leftovers", "server/src/utils/text.ts", "", "says nothing"],
    ["a file of leftovers", "server/src/money/helpers.ts", "", "says nothing"],
    ["any", domainFile, "const a: any = 1;", "the type any"],
    ["any inside a generic", domainFile, "const a: Map<string, any[]> = b;", "the type any"],
    ["the wall clock as a date", domainFile, "const a = new Date();", "wall clock"],
    ["the wall clock as a number", domainFile, "const a = Date.now();", "wall clock"],
    ["the wall clock of Temporal", domainFile, "const a = Temporal.Now.instant();", "wall clock"],
    ["parseFloat", domainFile, 'const a = parseFloat("1");', "whole kobo"],
    ["parseFloat of Number", domainFile, 'const a = Number.parseFloat("1");', "whole kobo"],
    ["toFixed", domainFile, "const a = (1.5).toFixed(2);", "whole kobo"],
    ["process.env in a domain", domainFile, "const a = process.env.PORT;", "process.env"],
    ["a signal handler in a domain", domainFile, 'process.on("SIGTERM", f);', "process signals"],
    ["a spread object literal", domainFile, "const a = { ...{ b, c }, d };", "name its members in place"],
    ["a spread array literal", domainFile, "const a = [...([1, 2] as const), 3];", "name its members in place"],
    ["a spread literal of arguments", domainFile, "f(...[1, 2]);", "name its members in place"],
    ["a class that is no error", domainFile, "class A {}", "classes"],
    ["a lone test", "server/src/a.test.ts", 'test.only("a", f);', "hides the others"],
    ["a skipped group", "server/src/a.test.ts", 'describe.skip("a", f);', "hides the others"],
    ["work put off", domainFile, `// ${"TO"}${"DO"}: later`, "puts work off"],
    ["work put off in a document", "docs/guides/a.md", `${"FIX"}${"ME"}`, "puts work off"],
    ["a silent generated file", "server/src/platform/database/types.gen.ts", "export {};", "generated"],
    ["a gap between migrations", "server/migrations/0002-a.sql", "select 1;", "expected 0001-"],
    ["a migration without a subject", "server/migrations/0001.sql", "select 1;", "expected 0001-"],
  ])("%s", (_name, path, text, finding) => {
    expect(findUntidy([treeFile(path, text)])).toEqual([expect.stringContaining(finding)]);
  });
});

describe("nothing is reported for", () => {
  test.each([
    ["a file of 300 lines", domainFile, lines(300)],
    ["a function of 60 lines", domainFile, `export function f() {\n${lines(58)}}\n`],
    ["a long group of tests", "server/src/a.test.ts", `describe("a", () => {\n${lines(100)}});`],
    ["a long sentence", domainFile, `const a = {\n  message: "${"word ".repeat(30)}",\n};`],
    ["a given date", domainFile, "const a = new Date(clock.now());"],
    ["the clock itself", "server/src/platform/database/clock.ts", "const a = Date.now();"],
    ["the word any in prose", domainFile, "// This holds for any amount.\nconst any = 1;"],
    ["a spread that depends", domainFile, "const a = { ...(b === undefined ? {} : { b }), ...c };"],
    ["a spread of what a literal is made into", domainFile, "const a = [...[1, 2].map(f), ...[...b].sort()];"],
    ["an error class", domainFile, "class TransferError extends Error {}"],
    ["config.ts", "server/src/config.ts", "const a = process.env;"],
    ["a role in a file name", "server/src/transfers/send-transfer.job.ts", ""],
    ["the root documents", "CONTRIBUTING.md", ""],
  ])("%s", (_name, path, text) => {
    expect(findUntidy([treeFile(path, text)])).toEqual([]);
  });
});
