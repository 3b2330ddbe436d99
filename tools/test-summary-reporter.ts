import type { Reporter, TestModule } from "vitest/node";

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Ends a test run with one line that people and scripts can read: "120 passed, 0 failed, 2 skipped". */
export function testSummaryReporter(): Reporter {
  return {
    onTestRunEnd(modules, unhandledErrors) {
      const counts = countTests(modules);
      console.log(summaryLine({ ...counts, failed: counts.failed + unhandledErrors.length }));
    },
  };
}

function summaryLine(counts: TestCounts): string {
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
  return `${counts.passed} passed, ${counts.failed} failed${skipped}`;
}

function countTests(modules: readonly TestModule[]): TestCounts {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const module of modules) {
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      // A test that was cut off before it had a result has not passed.
      counts[state === "pending" ? "failed" : state] += 1;
    }
    counts.failed += brokenSuites(module);
  }
  return counts;
}

/** A file that cannot be loaded, or whose hook fails, must not look like a file without tests. */
function brokenSuites(module: TestModule): number {
  const suites = [...module.children.allSuites()].filter((suite) => suite.errors().length > 0).length;
  return suites + (module.errors().length > 0 ? 1 : 0);
}
