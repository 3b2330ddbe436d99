import { describe, expect, test } from "vitest";
import { type Desk, deskOf, type NoRail } from "./desk.ts";
import { createOpenTakes } from "./wait-for-rail.ts";

const lane = { environmentId: "one", counterparty: "044", take: 80 };

function deskThatIs(state: { found: NoRail | "open" }): Desk<string> {
  const rails = deskOf({ SANDBOX: "rail", LIVE: "rail" });
  return { ...rails, find: async (whose) => (state.found === "open" ? rails.find(whose) : state.found) };
}

describe("a round over a lane", () => {
  test("takes all it may while the rails are open", async () => {
    const takes = createOpenTakes(deskThatIs({ found: "open" }), "LIVE");
    expect(await takes([lane])).toEqual([lane]);
    expect(await takes([lane])).toEqual([lane]);
  });

  test.each(["closed", "not_connected"] as const)("takes a few now and then while they are %s", async (found) => {
    const takes = createOpenTakes(deskThatIs({ found }), "LIVE");
    expect(await takes([lane])).toEqual([{ ...lane, take: 10 }]);
    expect(await takes([lane])).toEqual([]);
    const other = { ...lane, counterparty: "058", take: 3 };
    expect(await takes([lane, other])).toEqual([other]);
  });

  test("takes all it may as soon as they open", async () => {
    const state: { found: NoRail | "open" } = { found: "closed" };
    const takes = createOpenTakes(deskThatIs(state), "LIVE");
    await takes([lane]);
    state.found = "open";
    expect(await takes([lane])).toEqual([lane]);
    state.found = "closed";
    expect(await takes([lane])).toEqual([{ ...lane, take: 10 }]);
  });
});
