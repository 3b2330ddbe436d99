import { describe, expect, test } from "vitest";
import { type Desk, deskOf, type NoRail } from "./desk.ts";
import { createClosedTakes } from "./wait-for-rail.ts";

const user = { environmentId: "one", kind: "LIVE" } as const;
const lane = { environmentId: "one", counterparty: "044", take: 80 };

function deskThatIs(state: { found: NoRail | "open" }): Desk<string> {
  const rails = deskOf({ SANDBOX: "rail", LIVE: "rail" });
  return { ...rails, find: async (whose) => (state.found === "open" ? rails.find(whose) : state.found) };
}

describe("a round over a lane", () => {
  test("takes all it may while the rails are open", async () => {
    const takes = createClosedTakes(deskThatIs({ found: "open" }));
    expect(await takes(user, lane)).toEqual(lane);
    expect(await takes(user, lane)).toEqual(lane);
  });

  test.each(["closed", "not_connected"] as const)("takes a few now and then while they are %s", async (found) => {
    const takes = createClosedTakes(deskThatIs({ found }));
    expect(await takes(user, lane)).toEqual({ ...lane, take: 10 });
    expect(await takes(user, lane)).toBeNull();
    expect(await takes(user, { ...lane, counterparty: "058", take: 3 })).toEqual({
      ...lane,
      counterparty: "058",
      take: 3,
    });
  });

  test("takes all it may as soon as they open", async () => {
    const state: { found: NoRail | "open" } = { found: "closed" };
    const takes = createClosedTakes(deskThatIs(state));
    await takes(user, lane);
    state.found = "open";
    expect(await takes(user, lane)).toEqual(lane);
    state.found = "closed";
    expect(await takes(user, lane)).toEqual({ ...lane, take: 10 });
  });
});
