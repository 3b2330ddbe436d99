import { describe, expect, test } from "vitest";
import { createTurns, type TurnOptions } from "./turns.ts";

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Work that stays under way until it is ended, and records when it began. */
function begin(options: TurnOptions) {
  const turns = createTurns({ refusal: () => new Error("refused"), ...options });
  const began: string[] = [];
  const gates: (() => void)[] = [];
  const take = (name: string, pass = {}): Promise<string> =>
    turns.take(
      name.slice(0, 1),
      async () => {
        began.push(name);
        await new Promise<void>((resolve) => gates.push(resolve));
        return name;
      },
      pass,
    );
  /** Ends the piece that has run longest, and waits for the piece that follows it. */
  const endOne = async (): Promise<void> => {
    gates.shift()?.();
    await nextTurn();
  };
  return { turns, began, take, endOne };
}

describe("places", () => {
  test("are a bound on what runs at once, and each piece gets its own result", async () => {
    const { began, take, endOne } = begin({ places: 2 });
    const results = ["a1", "a2", "a3"].map((name) => take(name));
    expect(began).toEqual(["a1", "a2"]);
    await endOne();
    expect(began).toEqual(["a1", "a2", "a3"]);
    await endOne();
    await endOne();
    expect(await Promise.all(results)).toEqual(["a1", "a2", "a3"]);
  });

  test("go round: an owner with one piece waits for one of each other's, not for all of them", async () => {
    const { began, take, endOne } = begin({ places: 1 });
    for (const name of ["a1", "a2", "a3", "a4", "b1", "b2", "c1"]) void take(name);
    for (let ended = 0; ended < 7; ended += 1) await endOne();
    expect(began).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
  });

  test("go to the owner that waited first, even if another's piece is under way", async () => {
    const { began, take, endOne } = begin({ places: 1 });
    for (const name of ["a1", "b1", "a2"]) void take(name);
    await endOne();
    expect(began).toEqual(["a1", "b1"]);
    await endOne();
    expect(began).toEqual(["a1", "b1", "a2"]);
    await endOne();
  });

  test("pass on when work fails", async () => {
    const turns = createTurns({ places: 1 });
    const failing = turns.take("a", () => Promise.reject(new Error("no")));
    const next = turns.take("a", () => "done");
    await expect(failing).rejects.toThrow("no");
    expect(await next).toBe("done");
    expect(turns.isBusy("a")).toBe(false);
  });

  test("pass over an owner that has as many as one may have", async () => {
    const { turns, began, take, endOne } = begin({ places: 2, perOwner: () => 1 });
    for (const name of ["a1", "a2", "b1", "c1"]) void take(name);
    expect(began).toEqual(["a1", "b1"]);
    await endOne();
    expect(began).toEqual(["a1", "b1", "a2"]);
    await endOne();
    expect(began).toEqual(["a1", "b1", "a2", "c1"]);
    await endOne();
    expect([turns.isBusy("a"), turns.isBusy("c")]).toEqual([false, true]);
    await endOne();
  });
});

describe("work that waits", () => {
  test("is refused when it has waited too long, and takes no turn", async () => {
    const { turns, began, take, endOne } = begin({ places: 1, longestWaitMs: 20 });
    const first = take("a1");
    await expect(take("b1")).rejects.toThrow("refused");
    expect(turns.isBusy("b")).toBe(false);
    const next = take("b2");
    await endOne();
    await endOne();
    expect([await first, await next, began]).toEqual(["a1", "b2", ["a1", "b2"]]);
  });

  test("is refused when its line is too long, unless it is patient", async () => {
    const { began, take, endOne } = begin({ places: 1, mostWaiting: 1 });
    const first = [take("a1"), take("a2")];
    await expect(take("a3")).rejects.toThrow("refused");
    const others = [take("a4", { patient: true }), take("b1")];
    for (let ended = 0; ended < 4; ended += 1) await endOne();
    await Promise.all([...first, ...others]);
    expect(began).toEqual(["a1", "a2", "b1", "a4"]);
  });

  test("to be alone holds back what comes after it, of its owner and no other", async () => {
    const { began, take, endOne } = begin({});
    for (const [name, alone] of [["a1"], ["a2", true], ["a3"], ["a4"], ["b1"]] as const) void take(name, { alone });
    expect(began).toEqual(["a1", "b1"]);
    await endOne();
    expect(began).toEqual(["a1", "b1", "a2"]);
    await endOne();
    await endOne();
    expect(began).toEqual(["a1", "b1", "a2", "a3", "a4"]);
    await endOne();
    await endOne();
  });
});

test("a piece that takes longer than a turn gives its place away once, and goes on", async () => {
  const { began, take, endOne } = begin({ places: 1, longestTurnMs: 20 });
  const long = take("a1");
  const [second, third] = [take("b1"), take("c1")];
  await expect.poll(() => began).toEqual(["a1", "b1", "c1"]);
  const fourth = take("d1");
  await endOne();
  expect(await long).toBe("a1");
  await expect.poll(() => began).toEqual(["a1", "b1", "c1", "d1"]);
  for (let ended = 0; ended < 3; ended += 1) await endOne();
  expect(await Promise.all([second, third, fourth])).toEqual(["b1", "c1", "d1"]);
});

describe("a few pieces in each turn of the event loop", () => {
  /** Asks for so many pieces of each owner, and records which were done, and in which turn of the loop. */
  async function take(places: number, owners: readonly string[]) {
    const turns = createTurns({ places, yieldsToEvents: true });
    const done: string[][] = [[]];
    let over = false;
    const count = (): void => {
      done.push([]);
      if (!over) setImmediate(count);
    };
    const pieces = owners.map((owner, place) => turns.take(owner, () => void done.at(-1)?.push(`${owner}${place}`)));
    setImmediate(count);
    await Promise.all(pieces);
    over = true;
    return done.filter((names) => names.length > 0);
  }

  test("are done at once while they are few", async () => {
    expect(await take(4, ["a", "a", "a"])).toEqual([["a0", "a1", "a2"]]);
  });

  test("are done in order, and all of them", async () => {
    const done = await take(
      4,
      Array.from({ length: 10 }, () => "a"),
    );
    expect(done.flat()).toEqual(Array.from({ length: 10 }, (_, place) => `a${place}`));
    expect(Math.max(...done.map((names) => names.length))).toBe(4);
  });

  test("go round between owners", async () => {
    expect((await take(2, ["a", "a", "a", "a", "b"])).flat()).toEqual(["a0", "a1", "a2", "b4", "a3"]);
  });

  test("leave room again when a turn had nothing to do", async () => {
    const turns = createTurns({ places: 2, yieldsToEvents: true });
    await Promise.all([1, 2].map(() => turns.take("a", () => undefined)));
    await nextTurn();
    let isDone = false;
    const third = turns.take("a", () => {
      isDone = true;
    });
    expect(isDone).toBe(true);
    await third;
  });
});
