import { expect, test } from "vitest";
import { readProcessorTime, stolenShare } from "./stolen-time.ts";

const stat = (...times: number[]) => `cpu  ${times.join(" ")}\ncpu0 1 1 1 1 1 1 1 1 0 0\nintr 5\n`;

test("the share that the host kept is what was stolen of all that passed", () => {
  const from = readProcessorTime(() => stat(100, 0, 50, 800, 10, 0, 5, 35, 0, 0));
  const to = readProcessorTime(() => stat(160, 0, 70, 890, 10, 0, 5, 65, 60, 0));
  expect(from).toEqual({ all: 1000, stolen: 35 });
  expect(stolenShare(from, to)).toBe(30 / 200);
});

test("where it is not counted nothing is said", () => {
  const fails = () => {
    throw new Error("ENOENT");
  };
  expect(readProcessorTime(fails)).toBeUndefined();
  expect(readProcessorTime(() => "")).toBeUndefined();
  expect(readProcessorTime(() => "cpu  1 2 3\n")).toBeUndefined();
  const same = { all: 10, stolen: 1 };
  expect(stolenShare(same, same)).toBeUndefined();
  expect(stolenShare(undefined, same)).toBeUndefined();
});
