import { expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { inEnvironment } from "../database/database.ts";
import { type ClaimedOrder, createHandOver, type Starting, startAtOnce } from "./hand-over.ts";

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
