import { expect, test } from "vitest";
import { runLanes } from "./lanes.ts";
import type { Step } from "./steps.ts";

/** Steps that go on when they are told to, and what was shown so far. */
function stage(...lanes: readonly (readonly string[])[]) {
  const begun = new Map<string, (text: string) => void>();
  const ends = new Map<string, () => void>();
  const shown: string[] = [];
  const steps = lanes.map((lane) => lane.map((name): Step => ({ name, command: ["true"] })));
  const all = runLanes(
    steps,
    ({ name }, print) =>
      new Promise((resolve) => {
        begun.set(name, print);
        ends.set(name, resolve);
      }),
    (text) => shown.push(text),
  );
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await new Promise(setImmediate);
  };
  return {
    all,
    shown,
    end,
    began: () => [...begun.keys()],
    say: (name: string, text: string) => begun.get(name)?.(text),
  };
}

test("lanes begin together, the steps of a lane in turn", async () => {
  const { all, end, began } = stage(["tests", "replies"], ["types", "tidy"]);
  expect(began()).toEqual(["tests", "types"]);
  await end("types");
  expect(began()).toEqual(["tests", "types", "tidy"]);
  await end("tests");
  await end("tidy");
  await end("replies");
  await all;
});

test("the first lane speaks at once, the others step by step when it is done", async () => {
  const { all, shown, say, end } = stage(["tests"], ["types", "tidy"]);
  say("types", "one, ");
  say("tests", "running");
  say("types", "two");
  await end("types");
  say("tidy", "three, ");
  expect(shown).toEqual(["running"]);
  await end("tests");
  expect(shown).toEqual(["running", "one, two"]);
  say("tidy", "four");
  await end("tidy");
  await all;
  expect(shown).toEqual(["running", "one, two", "three, four"]);
});
