/** Every event of the catalogue is played by its real flow, or refused with the reason. */
import { describe, expect, test } from "vitest";
import { liveOnly } from "../../cli/src/trigger/flows.ts";
import { house } from "../../server/src/start/slices.ts";
import { createCommandWorld } from "./world.ts";

const { jara, sdk, createSandbox } = await createCommandWorld();

const catalogue = Object.keys(house.events);
const playable = catalogue.filter((event) => !(event in liveOnly));
/** Most plays wait for seconds of a running clock, and some move it: each has its own, and several go on at once. */
const sandboxes = new Map(await Promise.all(playable.map(async (event) => [event, await createSandbox()] as const)));
const moves = /^The sandbox's clock moved from .+ to .+\.\n$/;

describe("every event", () => {
  test.concurrent.each(playable)("plays %s", async (event) => {
    const played = await sandboxes.get(event)?.jara.call("trigger", event, "--json");
    expect(played?.err.replace(moves, "")).toBe("");
    expect(played?.code).toBe(0);
    expect(JSON.parse(played?.out ?? "").event).toBe(event);
  });

  test.each(Object.keys(liveOnly))("refuses %s, because no sandbox has it", async (event) => {
    expect(catalogue).toContain(event);
    const { code, out, err } = await jara.call("trigger", event);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(`${event} happens in live environments only: `);
  });

  test("is listed, and nothing else is known", async () => {
    const listed = JSON.parse((await jara.call("trigger", "--json")).out) as { event: string }[];
    expect(listed.map(({ event }) => event).sort()).toEqual(playable.toSorted());
    expect(await jara.call("trigger", "transfer.lost")).toMatchObject({
      code: 2,
      err: expect.stringContaining("jara trigger lists them all"),
    });
  });
});

test("an endpoint that was made for the play is taken away again", async () => {
  for (const { sdk: own } of sandboxes.values()) expect(await own.webhooks.endpoints.list().toArray()).toEqual([]);
});

test("where the clock stands still, it is moved, told, and stands still again", async () => {
  await sdk.sandbox.clock.set({ mode: "frozen" });
  const { code, err } = await jara.run("trigger", "bnpl.loan.disbursed");
  expect(code).toBe(0);
  expect(err).toMatch(moves);
  expect((await sdk.sandbox.clock.get()).mode).toBe("frozen");
  await sdk.sandbox.clock.set({ mode: "running" });
});
