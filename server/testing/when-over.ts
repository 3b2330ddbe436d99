/** Takes away what a test has made. */
import { AsyncLocalStorage } from "node:async_hooks";
import { afterAll, onTestFinished, TestRunner } from "vitest";

type Clean = () => Promise<void> | void;

/** What lasts as long as this worker, in the order in which it was made. */
const lasting: Clean[] = [];
const isLasting = new AsyncLocalStorage<true>();

/** At the end of the running test, else of the file: a wish for the end of the file is heard outside of tests only. */
export function whenOver(clean: Clean): void {
  if (isLasting.getStore() === true) lasting.push(clean);
  else if (TestRunner.getCurrentTest() === undefined) afterAll(clean);
  else onTestFinished(clean);
}

/**
 * What is made inside outlives the file: it is for whatever all files of a worker share. The worker has half a second
 * when its run is over, so a clean-up must do its part before it waits for anything.
 */
export function untilWorkerEnds<Made>(make: () => Promise<Made>): Promise<Made> {
  if (lasting.length === 0) process.once("SIGTERM", endWorker).once("disconnect", endWorker);
  return isLasting.run(true, make);
}

function endWorker(): void {
  for (const clean of lasting.splice(0).reverse()) void Promise.resolve(clean()).catch(() => undefined);
  process.kill(process.pid, "SIGKILL");
}
