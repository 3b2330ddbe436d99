import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type CardLink, linkTransitions, shownStatus } from "./card-link.ts";
import { cardRefundTransitions } from "./card-refund.ts";
import { chargeTransitions } from "./charge.ts";
import { collectionMoment, retryMoment } from "./collection.ts";

const migration = readFileSync(new URL("../../../migrations/0011-checkout.sql", import.meta.url), "utf8");

function statesOf(table: string): string[] {
  const definition = migration.slice(migration.indexOf(`create table ${table} (`));
  const [, listed = ""] = /status text not null check \(status in \(([^)]*)\)\)/.exec(definition) ?? [];
  return listed.split(",").map((word) => word.trim().replaceAll("'", ""));
}

test.each([
  ["card_links", linkTransitions],
  ["card_charges", chargeTransitions],
  ["card_refunds", cardRefundTransitions],
])("the states of %s are those that the database allows, and every step leads to one of them", (table, transitions) => {
  expect(Object.keys(transitions).toSorted()).toEqual(statesOf(table).toSorted());
  for (const to of Object.values(transitions).flat()) expect(Object.keys(transitions)).toContain(to);
});

const now = new Date("2026-11-02T08:00:00Z");
const link = (status: CardLink["status"], expiresAt: Date): CardLink => ({
  id: "",
  customerId: "",
  phone: "",
  callbackUrl: null,
  connectionId: null,
  atProcessor: false,
  version: 1,
  attemptId: null,
  queries: 0,
  declines: 0,
  cardId: null,
  failure: null,
  status,
  createdAt: now,
  expiresAt,
});

test.each([
  ["pending", -1, "expired"],
  ["pending", 0, "expired"],
  ["pending", 1, "pending"],
  ["declined", -1, "expired"],
  ["processing", -1, "processing"],
  ["linked", -1, "linked"],
  ["stale", -1, "stale"],
] as const)("a %s link that ends in %i ms is %s", (status, inMs, shown) => {
  expect(shownStatus(link(status, new Date(now.getTime() + inMs)), now)).toBe(shown);
});

test("due instalments are charged at six in the morning in Lagos", () => {
  expect(collectionMoment(Temporal.PlainDate.from("2026-12-02")).toISOString()).toBe("2026-12-02T05:00:00.000Z");
});

test.each([
  [1, "2026-12-03T05:00:00.000Z"],
  [2, "2026-12-05T05:00:00.000Z"],
  [3, "2026-12-09T05:00:00.000Z"],
  [4, undefined],
])("after %i declined tries the next is at %s", (tries, at) => {
  const firstTriedAt = new Date("2026-12-02T05:00:00.000Z");
  expect(retryMoment({ firstTriedAt, tries })?.toISOString()).toBe(at);
});
