import { expect, test } from "vitest";
import { createLanes } from "./batch-lanes.ts";

/** Lanes whose batches end when they are told to. Those called `live` come first. */
function createStage(slots: number, reserved: number, atOnce = slots, patienceMs = 60_000) {
  const served: string[] = [];
  const sizes: number[] = [];
  const ends: (() => void)[] = [];
  const lanes = createLanes<string>({
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
      return new Promise((resolve) => ends.push(resolve));
    },
  });
  const offer = async (...names: string[]): Promise<void> => {
    for (const name of names) lanes.offer(name, "item");
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  };
  const endOne = async (): Promise<void> => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
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
  const { offer, served } = createStage(3, 0, 1, 30);
  await offer("a");
  await offer("b");
  await new Promise((resolve) => setTimeout(resolve, 5));
  await offer("c", "d");
  expect(served).toEqual(["a"]);
  await expect.poll(() => served).toEqual(["a", "b", "c"]);
});

test("a lane whose patience ends when every slot is taken is served by the next that ends", async () => {
  const { offer, endOne, served } = createStage(2, 0, 1, 1);
  await offer("a", "b", "c");
  await expect.poll(() => served).toEqual(["a", "b"]);
  await endOne();
  await expect.poll(() => served).toEqual(["a", "b", "c"]);
});
