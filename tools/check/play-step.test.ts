import { expect, test } from "vitest";
import { playStep, readTimes } from "./play-step.ts";

const play = async (script: string) => {
  let printed = "";
  const played = await playStep(["bash", "-c", script], process.env, (text) => {
    printed += text;
  });
  return { ...played, printed };
};

test("what a step prints is shown and kept, and its end is told", async () => {
  expect(await play("echo out; echo bad >&2; exit 3")).toMatchObject({ isGood: false, printed: "out\nbad\n" });
  expect(await play("echo out")).toMatchObject({ isGood: true, output: "out\n" });
});

test("the processor time of a step's children's children counts", async () => {
  const busy = `bash -c 'for ((i = 0; i < 400000; i++)); do :; done'`;
  const { processorSeconds = 0 } = await play(`${busy}; ${busy}; ${busy}; ${busy}`);
  expect(processorSeconds).toBeGreaterThan(0);
});

test("a step whose program is missing has failed", async () => {
  expect(await playStep(["no-such-program"], process.env, () => undefined)).toMatchObject({ isGood: false });
});

test.each([
  ["0m0.003s 0m0.001s\n1m2.500s 0m3.250s\n", 66],
  ["0m0,003s 0m0,001s\n0m1,500s 0m0,500s\n", 2],
  ["", undefined],
])("bash's times are read: %j", (times, expected) => {
  expect(readTimes(times)).toBe(expected);
});
