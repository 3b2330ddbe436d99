import { describe, expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { inEnvironment } from "../database/database.ts";
import { type ClaimedOrder, createHandOver, createRounds, type Starting, startAtOnce } from "./rounds.ts";

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Rounds over rows that make room, and end, when they are told to. Each round finds so many. */
function openRounds(found: readonly number[], restMs = 600_000, wakesAfter: number | null = 250) {
  const seen: number[] = [];
  const left = [...found];
  const rows: { makeRoom(): void; end(): void }[] = [];
  const rounds = createRounds<number>({
    ...(wakesAfter === null ? {} : { wakesAfter }),
    claim: async (underWay) => {
      seen.push(underWay.length);
      return { rows: Array.from({ length: left.shift() ?? 0 }, (_, place) => place), restMs };
    },
    advance: (_, makeRoom) => new Promise((end) => rows.push({ makeRoom, end })),
  });
  return { rounds, rows, seen };
}

describe("a round", () => {
  test("claims beside what is under way, by rounds and by acceptance, and does not wait for it", async () => {
    const { rounds, rows, seen } = openRounds([2, 1, 0], 0);
    expect(await rounds.round()).toBe(0);
    rounds.start(7);
    await rounds.round();
    expect(rounds.underWay().map(({ row, by }) => [row, by])).toEqual([
      [0, "round"],
      [1, "round"],
      [7, "acceptance"],
      [0, "round"],
    ]);
    rows[0]?.end();
    await settled();
    await rounds.round();
    expect(seen).toEqual([0, 3, 3]);
  });

  test("is drained when the last row has ended, also of those that start meanwhile", async () => {
    const { rounds, rows } = openRounds([1], 0);
    await rounds.round();
    let drained = false;
    const draining = rounds.drain().then(() => {
      drained = true;
    });
    rounds.start(7);
    rows[0]?.end();
    await settled();
    expect([drained, rounds.underWay().length]).toEqual([false, 1]);
    rows[1]?.end();
    await draining;
  });
});

describe("a rest between rounds", () => {
  test("is the loop's where nothing is under way, or where nothing wakes it", async () => {
    expect(await openRounds([0], 50).rounds.round()).toBe(50);
    expect(await openRounds([3], 50, null).rounds.round()).toBe(50);
  });

  test("ends when its time is over", async () => {
    expect(await openRounds([1], 1).rounds.round()).toBe(0);
  });

  test.each([
    [1, 1],
    [2, 1],
    [3, 2],
    [10, 5],
    [10_000, 250],
  ])("with %i rows under way ends when %i of them have made room", async (underWay, wakes) => {
    const { rounds, rows } = openRounds([underWay]);
    let isOver = false;
    const round = rounds.round().then(() => {
      isOver = true;
    });
    await settled();
    for (const { makeRoom } of rows.slice(0, wakes - 1)) makeRoom();
    // Making room twice counts once.
    for (const { makeRoom } of rows.slice(0, wakes - 1)) makeRoom();
    await settled();
    expect(isOver).toBe(false);
    rows[wakes - 1]?.end();
    await round;
    expect(isOver).toBe(true);
  });

  test("counts from its own beginning: room that was made before does not end it", async () => {
    const { rounds, rows } = openRounds([4, 2], 600_000);
    const first = rounds.round();
    await settled();
    for (const { makeRoom } of rows.slice(0, 2)) makeRoom();
    await first;
    rows[2]?.makeRoom();
    let isOver = false;
    const second = rounds.round().then(() => {
      isOver = true;
    });
    await settled();
    // One of the first four and two new ones take room.
    rows[3]?.makeRoom();
    await settled();
    expect(isOver).toBe(false);
    rows[4]?.makeRoom();
    await second;
  });
});

const { db } = await createTestDatabase();
const { environment } = await createMerchant(db);

interface Order {
  readonly id: number;
  readonly to: string;
  readonly ready?: boolean;
  readonly underWay?: true;
}

function open(room: Readonly<Record<string, number>>) {
  const desk = createHandOver<ClaimedOrder<Order>>();
  const started: { readonly environmentId: string; readonly id: number }[] = [];
  const asked: string[] = [];
  desk.join("SANDBOX", {
    room: ({ counterparty }) => {
      asked.push(counterparty);
      return room[counterparty] ?? 0;
    },
    start: ({ environmentId, order: { id } }) => started.push({ environmentId, id }),
  });
  const starting: Starting<Order> = {
    desk,
    counterparty: ({ to }) => to,
    start: (order) => (order.ready === false ? null : { ...order, underWay: true }),
  };
  const accept = (orders: readonly Order[], end: "commit" | "fail" = "commit") =>
    inEnvironment(db, environment.id, async (tx) => {
      const written = startAtOnce(tx, starting, orders);
      expect(started).toEqual([]);
      if (end === "fail") throw new Error("not this time");
      return written.filter(({ underWay }) => underWay).map(({ id }) => id);
    });
  return { desk, started, asked, accept };
}

const orders = (...to: string[]): Order[] => to.map((name, id) => ({ id, to: name }));

test("so many start as each has room for, in the order in which they were accepted", async () => {
  const { accept, started, asked } = open({ one: 2, other: 1 });
  expect(await accept(orders("one", "other", "one", "other", "one", "nobody"))).toEqual([0, 1, 2]);
  expect(started).toEqual([0, 1, 2].map((id) => ({ environmentId: environment.id, id })));
  // Room is asked for once in a batch: what it gives away is not there twice.
  expect(asked.filter((name) => name === "one")).toHaveLength(1);
});

test("an order that has to wait takes no room from the next", async () => {
  const { accept, started } = open({ one: 1 });
  const waiting: Order = { id: 7, to: "one", ready: false };
  expect(await accept([waiting, { id: 8, to: "one" }])).toEqual([8]);
  expect(started.map(({ id }) => id)).toEqual([8]);
});

test("what is rolled back was never started", async () => {
  const { accept, started } = open({ one: 5 });
  await expect(accept(orders("one"), "fail")).rejects.toThrow("not this time");
  expect(started).toEqual([]);
});

test("with nobody there everything waits", async () => {
  const { accept, desk, started } = open({ one: 5 });
  desk.leave("SANDBOX");
  expect(await accept(orders("one", "one"))).toEqual([]);
  expect(started).toEqual([]);
});
