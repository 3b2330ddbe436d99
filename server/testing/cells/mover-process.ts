/** The mover as a process of its own, for tests that kill it. It says what it has done, and stands still after a step. */
import { flushCompileCache } from "node:module";
import { argv } from "node:process";
import { type MoveStep, moveEnvironment } from "../../src/cells/move-environment.ts";

const [, , addresses = "{}", environmentId = "", to = "", last = ""] = argv;
const cells = new Map(Object.entries(JSON.parse(addresses) as Record<string, string>));

await moveEnvironment({
  cells,
  environmentId,
  to,
  drainMs: 1_000,
  // Loaded when it is needed: it brings the whole house along.
  verify: async (cell, id) => (await import("../../src/verify-arrival.ts")).verifyArrival(cells, cell, id),
  onStep: async (step: MoveStep) => {
    // Before it says so: a process that is killed writes nothing at its end, and the next would compile all again.
    if (step === last) flushCompileCache();
    process.stdout.write(`${step}\n`);
    if (step === last) await new Promise(() => setInterval(() => undefined, 1_000));
  },
});
