import { expect, test } from "vitest";
import { silentLog } from "../../../testing/work.ts";
import { startLoop } from "./background-loop.ts";

test("a loop takes one step after another and stops when told", async () => {
  let running = 0;
  let most = 0;
  let steps = 0;
  const enough = Promise.withResolvers<void>();
  const loop = startLoop({
    name: "test",
    log: silentLog,
    step: async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      steps += 1;
      if (steps === 5) enough.resolve();
      return 0;
    },
  });
  await enough.promise;
  await loop.stop();
  const taken = steps;
  await new Promise((resolve) => setImmediate(resolve));
  expect({ most, running, more: steps - taken }).toEqual({ most: 1, running: 0, more: 0 });
});

test("stopping waits for the step under way and does not wait out a rest", async () => {
  const started = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  let finished = false;
  const loop = startLoop({
    name: "test",
    log: silentLog,
    step: async () => {
      started.resolve();
      await gate.promise;
      finished = true;
      return 3_600_000;
    },
  });
  await started.promise;
  const stopped = loop.stop();
  gate.resolve();
  await stopped;
  expect(finished).toBe(true);
});

test("a step that fails is repeated", async () => {
  let steps = 0;
  const again = Promise.withResolvers<void>();
  const loop = startLoop({
    name: "test",
    log: silentLog,
    step: async () => {
      steps += 1;
      if (steps === 1) throw new Error("the database is away");
      again.resolve();
      return 1_000;
    },
  });
  await again.promise;
  await loop.stop();
  expect(steps).toBe(2);
});
