import { AsyncLocalStorage } from "node:async_hooks";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type BatchOptions, createBatches } from "./batches.ts";

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Lanes whose batches end when they are told to. Those called `live` come first. */
function createStage(slots: number, reserved: number, atOnce = slots, patienceMs = 60_000) {
  const served: string[] = [];
  const sizes: number[] = [];
  const ends: (() => void)[] = [];
  const batches = createBatches<string, string>({
    slots,
    reserved,
    atOnce,
    patienceMs,
    batchSize: 10,
    perLane: 2,
    laneBound: 100,
    comesFirst: (lane) => lane.startsWith("live"),
    serve: (lane, batch) => {
      served.push(lane);
      sizes.push(batch.length);
      return new Promise((resolve) => ends.push(() => resolve(batch)));
    },
  });
  const offer = async (...names: string[]): Promise<void> => {
    for (const name of names) void batches.submit(name, "item");
    await nextTurn();
    await nextTurn();
  };
  const endOne = async (): Promise<void> => {
    ends.shift()?.();
    await nextTurn();
  };
  return { offer, endOne, served, sizes };
}

test("a part of the slots is left to lanes that come first", async () => {
  const { offer, served } = createStage(4, 1);
  await offer("a", "b", "c", "d", "e");
  expect(served).toEqual(["a", "b", "c"]);
  await offer("live");
  expect(served).toEqual(["a", "b", "c", "live"]);
});

test("a lane that comes first gets the next free slot, however long others have waited", async () => {
  const { offer, endOne, served } = createStage(2, 0);
  await offer("a", "b", "c");
  await offer("live");
  await endOne();
  await endOne();
  expect(served).toEqual(["a", "b", "live", "c"]);
});

test("lanes take turns, also those that come first", async () => {
  const { offer, endOne, served } = createStage(1, 0);
  await offer("live-a");
  await offer("live-a", "live-b");
  await endOne();
  await offer("live-a");
  await endOne();
  await endOne();
  expect(served).toEqual(["live-a", "live-a", "live-b", "live-a"]);
});

test("beside a few batches a lane gathers until one of them ends", async () => {
  const { offer, endOne, served, sizes } = createStage(8, 0, 2);
  await offer("a", "b", "c");
  await offer("c", "d", "c");
  expect(served).toEqual(["a", "b"]);
  await endOne();
  expect([served, sizes]).toEqual([
    ["a", "b", "c"],
    [1, 1, 3],
  ]);
  await endOne();
  expect(served).toEqual(["a", "b", "c", "d"]);
});

test("lanes that come first do not wait for the batches of others", async () => {
  const { offer, served } = createStage(8, 2, 2);
  await offer("a", "b", "c");
  await offer("live-a", "live-b", "live-c");
  expect(served).toEqual(["a", "b", "live-a", "live-b"]);
});

test("a lane that has waited for long takes a free slot, the longest first", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const { offer, served } = createStage(3, 0, 1, 30);
  await offer("a");
  await offer("b");
  vi.advanceTimersByTime(5);
  await offer("c", "d");
  vi.advanceTimersByTime(24);
  expect(served).toEqual(["a"]);
  vi.advanceTimersByTime(1);
  expect(served).toEqual(["a", "b"]);
  vi.advanceTimersByTime(5);
  expect(served).toEqual(["a", "b", "c"]);
});

test("a lane whose patience ends when every slot is taken is served by the next that ends", async () => {
  const { offer, endOne, served } = createStage(2, 0, 1, 1);
  await offer("a", "b", "c");
  await expect.poll(() => served).toEqual(["a", "b"]);
  await endOne();
  await expect.poll(() => served).toEqual(["a", "b", "c"]);
});

/** Batches of numbers, one lane at a time, which fail while a number in them is in `bad`. */
function createSums(options: Partial<BatchOptions<number, number>> = {}, bad: readonly number[] = []) {
  const served: (readonly number[])[] = [];
  const batches = createBatches<number, number>({
    slots: 1,
    atOnce: 1,
    batchSize: 100,
    serve: async (_, items) => {
      served.push(items);
      const found = items.find((item) => bad.includes(item));
      if (found !== undefined) throw new Error(`${found} is bad`);
      return items.map((item) => item * 10);
    },
    ...options,
  });
  const submit = (...items: readonly number[]) => items.map((item) => batches.submit("lane", item));
  return { batches, served, submit };
}

describe("outcomes", () => {
  test("come to each item, in the order of the batch, a few in each turn of the event loop", async () => {
    const { submit } = createSums();
    const told: number[] = [];
    const all = submit(...Array.from({ length: 40 }, (_, place) => place)).map((outcome) =>
      outcome.then((value) => told.push(value)),
    );
    await Promise.race(all);
    expect(told.length).toBeLessThan(40);
    await Promise.all(all);
    expect(told).toEqual(Array.from({ length: 40 }, (_, place) => place * 10));
  });

  test("an item that is given none fails, and its neighbours do not", async () => {
    const { submit } = createSums({ serve: async (_, items) => items.slice(1) });
    const [first, second] = await Promise.allSettled(submit(1, 2));
    expect(first).toEqual({ status: "fulfilled", value: 2 });
    expect(second).toMatchObject({ reason: { message: "a batch gave no outcome for one of its items" } });
  });

  test("a full lane refuses new items", async () => {
    const { submit } = createSums({ laneBound: 1, full: () => new Error("full") });
    const [first, second] = await Promise.allSettled(submit(1, 2));
    expect(first).toEqual({ status: "fulfilled", value: 10 });
    expect(second).toMatchObject({ reason: { message: "full" } });
  });

  test("are found in the context of the first caller", async () => {
    const caller = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const batches = createBatches<string, true>({
      slots: 1,
      atOnce: 1,
      batchSize: 2,
      serve: async (_, items) => {
        seen.push(caller.getStore());
        return items.map(() => true);
      },
    });
    await Promise.all(["a", "b", "c"].map((name) => caller.run(name, () => batches.submit("lane", name))));
    expect(seen).toEqual(["a", "c"]);
  });
});

describe("a batch that fails", () => {
  test("is halved until the item that is to blame stands alone, while others wait for their turn", async () => {
    const { submit, served } = createSums({ failsAll: () => undefined }, [3]);
    const told = await Promise.allSettled(submit(1, 2, 3, 4, 5));
    expect(told.map((one) => (one.status === "fulfilled" ? one.value : String(one.reason)))).toEqual([
      10,
      20,
      "Error: 3 is bad",
      40,
      50,
    ]);
    expect(served).toEqual([[1, 2, 3, 4, 5], [1, 2, 3], [1, 2], [3], [4, 5]]);
  });

  test.each([
    ["fails whole unless one item may be to blame", {}, "3 is bad"],
    ["tells all items one reason", { failsAll: () => new Error("away") }, "away"],
  ])("%s", async (_, options, message) => {
    const { submit, served } = createSums(options, [3]);
    const told = await Promise.allSettled(submit(1, 3));
    expect(told).toMatchObject(told.map(() => ({ status: "rejected", reason: { message } })));
    expect(served).toEqual([[1, 3]]);
  });
});

describe("a slot that rests after a batch", () => {
  test("lets the next items gather", async () => {
    const rested = Promise.withResolvers<void>();
    const { submit, served } = createSums({ rest: (count) => (count > 1 ? rested.promise : undefined) });
    await Promise.all(submit(1));
    await Promise.all(submit(2, 3));
    const later = submit(4);
    await nextTurn();
    later.push(...submit(5));
    await nextTurn();
    expect(served).toEqual([[1], [2, 3]]);
    rested.resolve();
    await Promise.all(later);
    expect(served).toEqual([[1], [2, 3], [4, 5]]);
  });

  test("rests no longer once somebody drains, and rests again after that", async () => {
    const { batches, submit, served } = createSums({ rest: () => new Promise(() => undefined) });
    await Promise.all(submit(1));
    const waiting = submit(2);
    await batches.drain();
    await Promise.all(waiting);
    await Promise.all(submit(3));
    void submit(4);
    await nextTurn();
    await nextTurn();
    expect(served).toEqual([[1], [2], [3]]);
    await batches.drain();
    expect(served).toEqual([[1], [2], [3], [4]]);
  });
});
