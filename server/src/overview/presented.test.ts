/** What an overview asks a person to look at, and which period and parts it may have. */
import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { complaintsOf } from "../../testing/platform/complaints.ts";
import { kobo } from "../money/kobo.ts";
import { type Attention, type OverviewSource, successRate } from "../platform/records/overview.ts";
import { searchQuery } from "../search/routes.ts";
import { mostDays, overviewData, overviewQuery, presentAttention, readPeriod, usualDays } from "./routes.ts";

const now = new Date("2026-11-03T09:15:00.000Z");
const attention: Attention = {
  kind: "payouts_waiting",
  title: "2 payouts wait for the bank's answer.",
  count: 2,
  since: now,
  amount: kobo(250_050n),
  items: [
    { id: "t1", title: "payout-1", since: now },
    { id: "t2", title: "payout-2", since: null },
  ],
};

describe("what needs attention", () => {
  const source = (name: string | null): OverviewSource => ({
    part: name === null ? null : { name, schema: Type.Object({ count: Type.Integer() }) },
    scope: "transfers:read",
    read: () => Promise.reject(new Error("not asked here")),
  });
  const document = complaintsOf(overviewData([source("transfers"), source(null)]));
  const overview = { from: now.toISOString(), to: now.toISOString(), by: "day", attention: [] as unknown[] };

  test("is shown in naira, with its times, and fits the document", () => {
    const shown = presentAttention(attention);
    expect(shown).toMatchObject({ amount: 2_500.5, since: now.toISOString(), count: 2 });
    expect(shown.items.map(({ since }) => since)).toEqual([now.toISOString(), null]);
    expect(document({ ...overview, attention: [shown] })).toEqual({});
  });

  test("may be of no amount and no time", () => {
    const shown = presentAttention({ ...attention, amount: null, since: null, items: [] });
    expect([shown.amount, shown.since]).toEqual([null, null]);
    expect(document({ ...overview, attention: [shown] })).toEqual({});
  });

  test("stands beside the figures of each slice that has some; a key without the scope does not get them", () => {
    expect(document(overview)).toEqual({});
    expect(document({ ...overview, transfers: { count: 1 } })).toEqual({});
    expect(document({ ...overview, transfers: { count: "1" } })).toEqual({
      "transfers.count": "must be a whole number",
    });
  });
});

describe("a period", () => {
  test.each(["day", "hour"] as const)("by the %s has its usual length, and may have its longest", (by) => {
    const { from, to } = readPeriod({ by }, now);
    expect(to).toEqual(now);
    expect(to.getTime() - from.getTime()).toBeLessThanOrEqual((usualDays[by] + 1) * 86_400_000);
    const longest = new Date(now.getTime() - mostDays[by] * 86_400_000);
    expect(readPeriod({ by, from: longest.toISOString() }, now).from).toEqual(longest);
    const longer = new Date(longest.getTime() - 1).toISOString();
    expect(() => readPeriod({ by, from: longer }, now)).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining({ field: "from" })] }),
    );
  });

  test("that begins after now is empty rather than turned round", () => {
    const from = "2026-12-01T00:00:00Z";
    expect(readPeriod({ from }, now)).toEqual({ from: new Date(from), to: new Date(from), by: "day" });
  });

  test.each([{ by: "week" }, { by: "" }, { from: "last week" }, { to: "2026-02-30" }])("is not %j", (query) => {
    expect(Object.keys(complaintsOf(overviewQuery, "query")(query))).toEqual(Object.keys(query));
  });
});

describe("a share of what went well", () => {
  test.each([
    [0, 0, null],
    [0, 5, 0],
    [5, 5, 1],
    [1, 3, 0.3333],
    [2, 3, 0.6667],
    [79, 80, 0.9875],
  ])("of %i in %i is %s", (good, all, rate) => {
    expect(successRate(good, all)).toBe(rate);
  });
});

test.each(["", "   ", "x".repeat(101), undefined])("nobody searches for %j", (q) => {
  expect(Object.keys(complaintsOf(searchQuery, "query")({ q }))).toEqual(["q"]);
});
