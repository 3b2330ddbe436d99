import { expect, test, vi } from "vitest";
import { flows } from "../../cli/src/trigger/flows.ts";
import { createCommandWorld } from "./world.ts";

const { jara } = await createCommandWorld();
vi.setConfig({ testTimeout: 60_000 });

test.each(Object.keys(flows))("plays %s", async (event) => {
  const { code, out, err } = await jara.run("trigger", event, "--json");
  expect(err).toBe("");
  expect(code).toBe(0);
  expect(JSON.parse(out).event).toBe(event);
});

test("lists what can be played, and knows nothing else", async () => {
  expect((await jara.run("trigger")).out).toContain("transfer.completed");
  expect(await jara.run("trigger", "transfer.lost")).toMatchObject({
    code: 2,
    err: expect.stringContaining("jara trigger lists what can"),
  });
});
