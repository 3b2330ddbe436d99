import { expect, test } from "vitest";
import { createLanes } from "./batch-lanes.ts";

/** Lanes whose batches end when they are told to. Those called `live` come first. */
function createStage(slots: number, reserved: number) {
  const served: string[] = [];
  const ends: (() => void)[] = [];
  const lanes = createLanes<string>({
    slots,
    reserved,
    batchSize: 10,
    perLane: 2,
    laneBound: 100,
    comesFirst: (lane) => lane.startsWith("live"),
    serve: (lane) => {
      served.push(lane);
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
  return { offer, endOne, served };
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
