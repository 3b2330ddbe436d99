import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

/** Runs Vitest on the given test file with the reporter alone and returns what it printed last. */
function lastLineFor(testFile: string): string {
  // Inside the project, so that the file finds the vitest package.
  const folder = mkdtempSync(join(root, "node_modules", ".summary-"));
  try {
    writeFileSync(join(folder, "sample.test.ts"), testFile);
    const reporter = JSON.stringify(join(import.meta.dirname, "test-summary-reporter.ts"));
    writeFileSync(
      join(folder, "vitest.config.ts"),
      `import { testSummaryReporter } from ${reporter};
       export default { test: { include: ["sample.test.ts"], exclude: [], reporters: [testSummaryReporter()] } };`,
    );
    const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
    const run = spawnSync(process.execPath, [vitest, "run", "--root", folder], { encoding: "utf8" });
    return run.stdout.trimEnd().split("\n").at(-1) ?? "";
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it("the closing line counts what passed, failed and was skipped", () => {
  const line = lastLineFor(`import { expect, it } from "vitest";
    it("a", () => {});
    it("b", () => {});
    it("c", () => expect(1).toBe(2));
    it.skip("d", () => {});`);
  expect(line).toBe("2 passed, 1 failed, 1 skipped");
});

it("a test file that cannot be loaded counts as failed", () => {
  expect(lastLineFor(`throw new Error("broken file");`)).toBe("0 passed, 1 failed");
});
