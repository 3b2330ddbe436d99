import { expect, test } from "vitest";
import type { SeenConnection } from "./status.ts";
import { type Facts, findTroubles } from "./watch-incidents.job.ts";

const since = new Date("2026-11-17T10:00:00Z");
const rail = { part: "bank", name: "Payouts to banks", condition: "working", since: null } as const;
const work = { part: "deliveries", name: "Delivering webhooks", condition: "working", since: null } as const;
const connection: SeenConnection = {
  id: "a",
  mode: "live",
  state: "active",
  ports: ["bank"],
  checksPassed: true,
  hold: null,
  float: { available: 10_000_000n },
};
const poor = { ...connection, float: { available: 9_999_999n } };
const well: Facts = {
  rails: [rail],
  work: [work],
  connections: [connection],
  booksAreRight: true,
};

test.each<[string, Partial<Facts>, string | undefined]>([
  ["all is well", {}, undefined],
  ["a rail does not work", { rails: [{ ...rail, condition: "not_working", since }] }, "rail.bank"],
  ["work is slow", { work: [{ ...work, condition: "slow", since }] }, "work.deliveries"],
  ["the float is low", { connections: [poor] }, "float.bank"],
  ["one of two floats is low", { connections: [connection, poor] }, undefined],
  ["a float was not read", { connections: [{ ...connection, float: null }] }, undefined],
  ["the float of a test connection is low", { connections: [{ ...poor, mode: "test" }] }, undefined],
  ["the books contradict themselves", { booksAreRight: false }, "books"],
])("%s", (_, facts, cause) => {
  expect(findTroubles({ ...well, ...facts }).map((trouble) => trouble.cause)).toEqual(
    cause === undefined ? [] : [cause],
  );
});
