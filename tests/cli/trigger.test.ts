/** Every event of the catalogue is played by its real flow, or refused with the reason. */
import { describe, expect, test } from "vitest";
import { liveOnly } from "../../cli/src/trigger/flows.ts";
import { house } from "../../server/src/slices.ts";
import { createCommandWorld } from "./world.ts";

const { jara, sdk } = await createCommandWorld();

const catalogue = Object.keys(house.events);
const moves = /^The sandbox's clock moved from .+ to .+\.\n$/;

describe("every event", () => {
  test.each(catalogue.filter((event) => !(event in liveOnly)))("plays %s", async (event) => {
    const { code, out, err } = await jara.call("trigger", event, "--json");
    expect(err.replace(moves, "")).toBe("");
    expect(code).toBe(0);
    expect(JSON.parse(out).event).toBe(event);
  });

  test.each(Object.keys(liveOnly))("refuses %s, because no sandbox has it", async (event) => {
    expect(catalogue).toContain(event);
    const { code, out, err } = await jara.call("trigger", event);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(`${event} happens in live environments only: `);
  });

  test("is listed, and nothing else is known", async () => {
    const listed = JSON.parse((await jara.call("trigger", "--json")).out) as { event: string }[];
    expect(listed.map(({ event }) => event).sort()).toEqual(catalogue.filter((event) => !(event in liveOnly)).sort());
    expect(await jara.call("trigger", "transfer.lost")).toMatchObject({
      code: 2,
      err: expect.stringContaining("jara trigger lists them all"),
    });
  });
});

test("an endpoint that was made for the play is taken away again", async () => {
  expect(await sdk.webhooks.endpoints.list().toArray()).toEqual([]);
});

test("where the clock stands still, it is moved, told, and stands still again", async () => {
  await sdk.sandbox.clock.set({ mode: "frozen" });
  const { code, err } = await jara.run("trigger", "bnpl.loan.disbursed");
  expect(code).toBe(0);
  expect(err).toMatch(moves);
  expect((await sdk.sandbox.clock.get()).mode).toBe("frozen");
  await sdk.sandbox.clock.set({ mode: "running" });
});
