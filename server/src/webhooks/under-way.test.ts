/** How much a sender has under way, and when it wakes up. */
import { describe, expect, test } from "vitest";
import { createRest, standardSlots, trackUnderWay } from "./under-way.ts";

/** Work that ends when it is told to. */
function openWork() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, end: resolve };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("slots", () => {
  test("are all free at first, of which sandboxes get those that are not live's", () => {
    expect(trackUnderWay({ all: 10, live: 4 }).free()).toEqual({ LIVE: 10, SANDBOX: 6 });
    expect(trackUnderWay({ all: 10, live: 10 }).free()).toEqual({ LIVE: 10, SANDBOX: 0 });
  });

  test("are claimed five hundred at a time at most", () => {
    expect(trackUnderWay(standardSlots).free()).toEqual({ LIVE: 500, SANDBOX: 500 });
  });

  test("are taken while work is under way and come back when it ends, also badly", async () => {
    const tracked = trackUnderWay({ all: 3, live: 1 });
    const [one, other] = [openWork(), openWork()];
    tracked.add("SANDBOX", one.promise);
    tracked.add("SANDBOX", other.promise);
    expect([tracked.count(), tracked.free()]).toEqual([2, { LIVE: 1, SANDBOX: 0 }]);
    one.end();
    await settled();
    expect([tracked.count(), tracked.free()]).toEqual([1, { LIVE: 2, SANDBOX: 1 }]);
    other.end();
    await tracked.drain();
    expect(tracked.free()).toEqual({ LIVE: 3, SANDBOX: 2 });
  });

  test("that hanging sandboxes hold leave live its own", () => {
    const tracked = trackUnderWay({ all: 10, live: 4 });
    for (let place = 0; place < 6; place += 1) tracked.add("SANDBOX", openWork().promise);
    expect(tracked.free()).toEqual({ LIVE: 4, SANDBOX: 0 });
  });

  test("that live fills leave sandboxes nothing", () => {
    const tracked = trackUnderWay({ all: 10, live: 4 });
    for (let place = 0; place < 10; place += 1) tracked.add("LIVE", openWork().promise);
    expect(tracked.free()).toEqual({ LIVE: 0, SANDBOX: 0 });
  });

  test("are waited for to the last, also those that are taken meanwhile", async () => {
    const tracked = trackUnderWay({ all: 10, live: 4 });
    const [first, second] = [openWork(), openWork()];
    tracked.add(
      "LIVE",
      first.promise.then(() => tracked.add("SANDBOX", second.promise)),
    );
    let drained = false;
    const draining = tracked.drain().then(() => {
      drained = true;
    });
    first.end();
    await settled();
    expect([drained, tracked.count()]).toEqual([false, 1]);
    second.end();
    await draining;
    expect(tracked.count()).toBe(0);
  });
});

describe("a rest between rounds", () => {
  test("ends when its time is over", async () => {
    await createRest().take(1);
  });

  test.each([
    [1, 1],
    [2, 1],
    [3, 2],
    [10, 5],
    [10_000, 250],
  ])("with %i messages under way ends when %i of them were settled", async (underWay, wakes) => {
    const rest = createRest();
    let isOver = false;
    const taken = rest.take(600_000).then(() => {
      isOver = true;
    });
    for (let place = 1; place < wakes; place += 1) rest.noteSettled(underWay);
    await settled();
    expect(isOver).toBe(false);
    rest.noteSettled(underWay);
    await taken;
    expect(isOver).toBe(true);
  });

  test("counts from its own beginning: what was settled before does not wake it", async () => {
    const rest = createRest();
    for (let place = 0; place < 100; place += 1) rest.noteSettled(4);
    let isOver = false;
    const taken = rest.take(600_000).then(() => {
      isOver = true;
    });
    rest.noteSettled(4);
    await settled();
    expect(isOver).toBe(false);
    rest.noteSettled(4);
    await taken;
  });
});
