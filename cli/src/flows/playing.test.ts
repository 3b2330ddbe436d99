/** What every flow is played with. */
import { expect, test } from "vitest";
import { openSandbox, startOfPlay } from "../../testing/sandbox-play.ts";

test("a clock that runs is left alone: what a sandbox does by itself happens by itself", async () => {
  const { playing, moves, moved } = await openSandbox({});
  await playing.settle();
  expect(moves()).toEqual([]);
  expect(moved()).toBeUndefined();
});

test("a clock that stands still is moved by some seconds, else nothing would ever happen", async () => {
  const { playing, moves, moved } = await openSandbox({}, { mode: "frozen" });
  await playing.settle();
  expect(moves()).toEqual([{ seconds: 10 }]);
  expect(moved()).toEqual({ from: startOfPlay, to: "2026-11-01T08:00:10.000Z" });
});

test("of several moves the first beginning and the last end are told", async () => {
  const { playing, moved } = await openSandbox({});
  await playing.pass({ days: 1 });
  await playing.pass({ days: 2 });
  await playing.pass({ to: "2026-12-01T00:00:00.000Z" });
  expect(moved()).toEqual({ from: startOfPlay, to: "2026-12-01T00:00:00.000Z" });
});

test("what was only needed for the play is taken away in the opposite order, once", async () => {
  const { playing, tidy } = await openSandbox({});
  const done: string[] = [];
  playing.afterwards(async () => void done.push("opened first"));
  playing.afterwards(async () => void done.push("opened last"));
  await tidy();
  await tidy();
  expect(done).toEqual(["opened last", "opened first"]);
});
