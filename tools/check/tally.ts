/** What a run of all steps comes to. */
import { testStep } from "./steps.ts";

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly isGood: boolean;
}

/**
 * Tests and steps together. A failed test makes its step fail too and is not counted twice; a test run that ended
 * without a count is itself among the failed steps.
 */
export function tally(testOutput: string, failedSteps: readonly string[]): Tally {
  const counts = [...testOutput.matchAll(/^(\d+) passed, (\d+) failed/gm)].at(-1);
  const [passed, failedTests] = [Number(counts?.[1] ?? 0), Number(counts?.[2] ?? 0)];
  const failed = failedTests + failedSteps.filter((name) => name !== testStep || failedTests === 0).length;
  return { passed, failed, isGood: failed === 0 && passed > 0 };
}
