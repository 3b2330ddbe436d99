import { expect, test } from "vitest";
import { createFairTurns } from "./fair-turns.ts";

/** Work that waits to be let go, and tells when it began. */
function createWork() {
  const began: string[] = [];
  const gates: (() => void)[] = [];
  const work = (name: string) => async (): Promise<string> => {
    began.push(name);
    await new Promise<void>((resolve) => gates.push(resolve));
    return name;
  };
  /** Ends what has run longest, and waits for what follows it. */
  const endOne = async (): Promise<void> => {
    gates.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { began, work, endOne };
}

test("no more than so many run at once, and each gets its own result", async () => {
  const { began, work, endOne } = createWork();
  const inTurn = createFairTurns(2);
  const results = ["a1", "a2", "a3"].map((name) => inTurn("a", work(name)));
  expect(began).toEqual(["a1", "a2"]);
  await endOne();
  expect(began).toEqual(["a1", "a2", "a3"]);
  await endOne();
  await endOne();
  expect(await Promise.all(results)).toEqual(["a1", "a2", "a3"]);
});

test("an owner with one piece of work waits for one of each other's, not for all of them", async () => {
  const { began, work, endOne } = createWork();
  const inTurn = createFairTurns(1);
  for (const name of ["a1", "a2", "a3", "a4"]) void inTurn("a", work(name));
  for (const name of ["b1", "b2"]) void inTurn("b", work(name));
  void inTurn("c", work("c1"));
  for (let ended = 0; ended < 7; ended += 1) await endOne();
  expect(began).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
});

test("work that fails gives its place on", async () => {
  const inTurn = createFairTurns(1);
  const failing = inTurn("a", () => Promise.reject(new Error("no")));
  const next = inTurn("a", async () => "done");
  await expect(failing).rejects.toThrow("no");
  expect(await next).toBe("done");
});

test("work that has waited for too long is told so, and takes no turn", async () => {
  const { began, work, endOne } = createWork();
  const inTurn = createFairTurns(1, { longestWaitMs: 20, tooLong: () => new Error("too long") });
  const first = inTurn("a", work("a1"));
  await expect(inTurn("b", work("b1"))).rejects.toThrow("too long");
  const next = inTurn("b", work("b2"));
  await endOne();
  await endOne();
  expect([await first, await next, began]).toEqual(["a1", "b2", ["a1", "b2"]]);
});
