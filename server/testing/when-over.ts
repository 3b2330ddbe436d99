/** Takes away what a test has made. */
import { afterAll, onTestFinished, TestRunner } from "vitest";

/** At the end of the running test, else of the file: a wish for the end of the file is heard outside of tests only. */
export function whenOver(clean: () => Promise<void> | void): void {
  if (TestRunner.getCurrentTest() === undefined) afterAll(clean);
  else onTestFinished(clean);
}
