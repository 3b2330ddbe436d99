import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { isEverything, isWholeRun } from "./whole-run.ts";

const root = join(import.meta.dirname, "..", "..");
// Inside the project, so that the files find the vitest package.
const folder = mkdtempSync(join(root, "node_modules", ".whole-run-"));
afterAll(() => rmSync(folder, { recursive: true }));

for (const name of ["one", "two"]) {
  writeFileSync(join(folder, `${name}.test.ts`), `import { test } from "vitest"; test("is there", () => undefined);`);
}
writeFileSync(
  join(folder, "vitest.config.ts"),
  `import { wholeRunReporter } from ${JSON.stringify(join(import.meta.dirname, "whole-run.ts"))};
   const project = (name) => ({ extends: true, test: { name, include: [name + ".test.ts"], exclude: [] } });
   const reporters = [wholeRunReporter(${JSON.stringify(join(folder, "replies"))})];
   export default { test: { projects: [project("one"), project("two")], reporters } };`,
);

/** Whether the mark lies there after a run with these words. */
function leavesMark(...words: readonly string[]): boolean {
  rmSync(join(folder, "replies"), { recursive: true, force: true });
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const { status } = spawnSync(process.execPath, [vitest, "run", "--root", folder, ...words]);
  expect(status).toBe(0);
  return isWholeRun(join(folder, "replies"));
}

test("a run of every file leaves its mark, a run of one file does not", () => {
  expect(leavesMark("--project=*")).toBe(true);
  expect(leavesMark("one.test.ts")).toBe(false);
});

const everything = { projects: [], testName: undefined, files: 815, ofFiles: 815 };

test.each([
  ["all files", everything, true],
  ["all projects, by a star", { ...everything, projects: ["*"] }, true],
  ["all but the campaigns", { ...everything, projects: ["!campaign"] }, true],
  ["one project", { ...everything, projects: ["product"] }, false],
  ["all projects but one", { ...everything, projects: ["!product"] }, false],
  ["tests of one name", { ...everything, testName: /refund/ }, false],
  ["some files", { ...everything, files: 12 }, false],
])("is it everything: %s", (_, extent, expected) => {
  expect(isEverything(extent)).toBe(expected);
});
