import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Lane } from "../platform/work/rounds.ts";
import {
  createOrderRounds,
  type Room,
  roomBy,
  shareOut,
  type Take,
  type UnderWay,
  type WaitingLane,
} from "./order-rounds.ts";

const limits = { places: 600, atMost: 100, inHand: Number.POSITIVE_INFINITY };

function waiting(lane: string, since = 0): WaitingLane {
  const [environmentId = "", counterparty = "058"] = lane.split("/");
  return { environmentId, counterparty, since: new Date(since) };
}

function underWay(lane: string, count: number, isInHand = true): UnderWay[] {
  const { environmentId, counterparty } = waiting(lane);
  return Array.from({ length: count }, () => ({ environmentId, counterparty, isInHand }));
}

function told(takes: readonly Take[]): Record<string, number> {
  return Object.fromEntries(takes.map((lane) => [`${lane.environmentId}/${lane.counterparty}`, lane.take]));
}

describe("a round's places", () => {
  test("all go to an environment that is alone", () => {
    expect(told(shareOut([waiting("a/058")], [], limits))).toEqual({ "a/058": 100 });
  });

  test("are shared equally among environments, however long one has waited or however many banks it pays", () => {
    const lanes = [waiting("a/058", 1), waiting("a/044", 2), waiting("a/011", 3), waiting("b/058", 900)];
    expect(told(shareOut(lanes, [], limits))).toEqual({ "a/058": 16, "a/044": 16, "a/011": 16, "b/058": 50 });
  });

  test("go to those that have waited longest where there are not enough for all", () => {
    const lanes = Array.from({ length: 150 }, (_, n) => waiting(`e${n}/058`, 150 - n));
    const takes = shareOut(lanes, [], limits);
    expect(takes).toHaveLength(100);
    expect(takes[0]).toEqual({ environmentId: "e149", counterparty: "058", take: 1 });
    expect(takes.some(({ environmentId }) => environmentId === "e0")).toBe(false);
  });

  test("are never all held by one, nor by a few: a newcomer finds a place", () => {
    const held: UnderWay[] = [];
    const hogs = ["a", "b", "c", "d"].flatMap((id) =>
      ["058", "044", "011", "033"].map((bank) => waiting(`${id}/${bank}`)),
    );
    for (let round = 0; round < 100; round += 1) {
      for (const take of shareOut(hogs, held, limits))
        held.push(...underWay(`${take.environmentId}/${take.counterparty}`, take.take));
    }
    expect(held.length).toBe(480);
    expect(told(shareOut([...hogs, waiting("new/058")], held, limits))).toMatchObject({ "new/058": 60 });
  });

  test("that a bank of one environment holds are not another environment's, nor another bank's", () => {
    const lanes = [waiting("a/058"), waiting("a/044"), waiting("b/058")];
    expect(told(shareOut(lanes, underWay("a/058", 200, false), limits))).toEqual({ "a/044": 50, "b/058": 50 });
  });

  test("for what is quick are few in each environment, and half of them for one bank", () => {
    const few = { ...limits, inHand: 32 };
    expect(told(shareOut([waiting("a/058"), waiting("b/058")], [], few))).toEqual({ "a/058": 16, "b/058": 16 });
    const held = underWay("a/058", 16);
    expect(told(shareOut([waiting("a/058"), waiting("a/044")], held, few))).toEqual({ "a/044": 16 });
    expect(told(shareOut([waiting("a/058")], underWay("a/058", 16, false), few))).toEqual({ "a/058": 16 });
  });
});

describe("rounds", () => {
  interface Row extends Lane {
    readonly n: number;
  }

  /** Queues in memory, of which nothing that was started ever ends. */
  function hangingRounds(queues: Record<string, number>, room: Room = roomBy.LIVE) {
    const claimed: Row[] = [];
    const rounds = createOrderRounds<Row>({
      ...room,
      look: async () =>
        Object.keys(queues)
          .filter((lane) => (queues[lane] ?? 0) > 0)
          .map((lane) => waiting(lane)),
      claim: async (takes) =>
        takes.flatMap(({ environmentId, counterparty, take }) => {
          const lane = `${environmentId}/${counterparty}`;
          const count = Math.min(take, queues[lane] ?? 0);
          queues[lane] = (queues[lane] ?? 0) - count;
          return Array.from({ length: count }, (_, n) => ({ environmentId, counterparty, n }));
        }),
      laneOf: (row) => row,
      advance: (row) => {
        claimed.push(row);
        return new Promise(() => undefined);
      },
    });
    return { rounds, claimed };
  }

  test("go on at once after a full one, rest a little while there is more, and longer when not", async () => {
    const { rounds } = hangingRounds({ "a/058": 101 });
    expect(await rounds.round()).toBe(0);
    expect(await rounds.round()).toBe(100);
    expect(await rounds.round()).toBe(100);
    const stuck = hangingRounds({ "a/058": 1_000 });
    for (let count = 0; count < 10; count += 1) await stuck.rounds.round();
    expect(await stuck.rounds.round()).toBe(20);
    expect(stuck.claimed).toHaveLength(200);
  });

  test("leave more room for what is accepted than they take of a queue themselves", async () => {
    const room = { places: 1_000, inHand: 40, inHandBeside: 40, inHandAtOnce: 100, besideQueue: 0 };
    const { rounds, claimed } = hangingRounds({ "a/058": 500 }, room);
    expect(rounds.room(waiting("b/058"))).toBe(50);
    for (let n = 0; n < 50; n += 1) rounds.start({ ...waiting("b/058"), n });
    expect(rounds.room(waiting("b/058"))).toBe(0);
    expect(rounds.room(waiting("b/044"))).toBe(50);
    await rounds.round();
    expect(claimed.filter(({ environmentId }) => environmentId === "a")).toHaveLength(20);
  });

  test("have room for what comes past them, but not while the environment has a queue", async () => {
    const queues = { "a/058": 1_000, "b/058": 1 };
    const { rounds, claimed } = hangingRounds(queues);
    const [own, neighbour] = [waiting("a/058"), waiting("b/058")];
    expect(rounds.room(own)).toBe(300);
    for (let count = 0; count < 4; count += 1) await rounds.round();
    expect(rounds.room(own)).toBe(0);
    const before = rounds.room(neighbour);
    expect(before).toBeGreaterThan(0);
    rounds.start({ environmentId: "b", counterparty: "058", n: 7 });
    expect(claimed.at(-1)).toMatchObject({ environmentId: "b", n: 7 });
    expect(rounds.room(neighbour)).toBe(before - 1);
    queues["a/058"] = 0;
    await rounds.round();
    expect(rounds.room({ ...own, counterparty: "044" })).toBeGreaterThan(0);
  });

  test("take less of a queue while others have something done, and more again when they have not", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const room = { places: 1_000, inHand: 40, inHandBeside: 10, inHandAtOnce: 100, besideQueue: 0 };
    const { rounds, claimed } = hangingRounds({ "a/058": 500 }, room);
    rounds.start({ ...waiting("b/058"), n: 1 });
    await rounds.round();
    expect(claimed.filter(({ environmentId }) => environmentId === "a")).toHaveLength(5);
    vi.advanceTimersByTime(500);
    await rounds.round();
    expect(claimed.filter(({ environmentId }) => environmentId === "a")).toHaveLength(5);
    vi.advanceTimersByTime(600);
    // The first five hang by now and count no more; the neighbour had nothing done for a second.
    await rounds.round();
    expect(claimed.filter(({ environmentId }) => environmentId === "a")).toHaveLength(5 + 20);
    const both = hangingRounds({ "a/058": 500, "b/058": 500 }, room);
    await both.rounds.round();
    expect(both.claimed).toHaveLength(10);
  });

  test("and new rows each have a share while there is a queue, and neither takes the other's", async () => {
    const room = { places: 1_000, inHand: 40, inHandBeside: 40, inHandAtOnce: 100, besideQueue: 60 };
    const queues = { "a/058": 500 };
    const { rounds, claimed } = hangingRounds(queues, room);
    const lane = waiting("a/058");
    for (let n = 0; n < 45; n += 1) rounds.start({ ...lane, n });
    await rounds.round();
    // The queue got its twenty although more than that was in hand, and new rows have no more than their share.
    expect(claimed).toHaveLength(65);
    expect(rounds.room(lane)).toBe(0);
    expect(rounds.room({ ...lane, counterparty: "044" })).toBe(15);
    queues["a/058"] = 0;
    await rounds.round();
    expect(rounds.room({ ...lane, counterparty: "044" })).toBe(35);
  });

  test("take nothing while acceptance has started as much as may be in hand at all", async () => {
    const room = { places: 1_000, inHand: 40, inHandBeside: 40, inHandAtOnce: 100, besideQueue: 60 };
    const { rounds, claimed } = hangingRounds({ "a/058": 500, "a/044": 5 }, room);
    for (let n = 0; n < 50; n += 1) rounds.start({ ...waiting("a/058"), n });
    await rounds.round();
    expect(claimed.slice(50).map(({ counterparty }) => counterparty)).toEqual(Array<string>(5).fill("044"));
  });

  test("let new rows go past a queue up to their share", async () => {
    const room = { places: 1_000, inHand: 40, inHandBeside: 40, inHandAtOnce: 100, besideQueue: 60 };
    const { rounds } = hangingRounds({ "a/058": 500 }, room);
    await rounds.round();
    const lane = waiting("a/058");
    expect(rounds.room(lane)).toBe(30);
    for (let n = 0; n < 30; n += 1) rounds.start({ ...lane, n });
    expect(rounds.room(lane)).toBe(0);
    await rounds.round();
    expect(rounds.room(waiting("b/058"))).toBe(50);
  });

  test("take up a newcomer in the next round, whatever hangs", async () => {
    const queues: Record<string, number> = {};
    for (const id of ["a", "b", "c"]) for (const bank of ["058", "044", "011"]) queues[`${id}/${bank}`] = 5_000;
    const { rounds, claimed } = hangingRounds(queues);
    for (let count = 0; count < 50; count += 1) await rounds.round();
    queues["new/058"] = 1;
    await rounds.round();
    expect(claimed.at(-1)?.environmentId).toBe("new");
  });
});
