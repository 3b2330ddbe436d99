/** A demo sandbox's past: played by the real flows, once, however often it is cut off. */
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { createMerchant } from "../../testing/factories.ts";
import { createDemoCaller, type DemoCaller } from "./demo-call.ts";
import { begin } from "./demo-records.ts";
import { historyClock, playHistory } from "./history.ts";

const { app, call, db, merchant } = await createTestApp();
await app.listen({ host: "127.0.0.1", port: 0 });
const baseUrl = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
const callerFor = (key: string) => createDemoCaller(baseUrl, key, new AbortController().signal);

const all = async (path: string) => (await call("GET", path)).json().data as Record<string, unknown>[];

test("days that are cut off are played again and pay nothing twice; then the clock runs", async () => {
  const demo = callerFor(merchant.secretKey);
  const { mode, now, seed } = historyClock(new Date(), 9);
  await demo.put("/sandbox/clock", { mode, seed, now: now.toISOString() });
  await demo.post("/sandbox/wallets/fund", { amount: 1_000_000 });
  let calls = 0;
  const dying: DemoCaller = {
    ...demo,
    post: (path, body, name) => {
      calls += 1;
      if (calls % 13 === 0) throw new Error("killed");
      return demo.post(path, body, name);
    },
  };
  let deaths = 0;
  for (let over = false; !over; ) {
    try {
      expect(await playHistory(dying, begin)).toBe("played");
      over = true;
    } catch (error) {
      expect(error).toMatchObject({ message: "killed" });
      deaths += 1;
    }
  }
  expect(deaths).toBeGreaterThan(5);
  const references = (await all("/transfers?limit=100")).map(({ reference }) => String(reference));
  expect(new Set(references).size).toBe(references.length);
  const days = new Set(references.flatMap((reference) => /20\d\d-\d\d-\d\d/.exec(reference) ?? []));
  // A day begins at eight in the morning, today only once it is that late.
  const played = Math.floor((Date.now() - now.getTime()) / 86_400_000) + 1;
  expect(days.size).toBe(played);
  const credits = (await all("/wallets/transactions?limit=100")).filter(({ direction }) => direction === "credit");
  expect(
    credits.filter(({ resource }) => String((resource as Record<string, unknown>)["reference"]).endsWith("takings")),
  ).toHaveLength(played);
  const clock = await demo.get("/sandbox/clock");
  expect(clock["mode"]).toBe("running");
  expect(Math.abs(Date.parse(String(clock["now"])) - Date.now())).toBeLessThan(5_000);
});

test("a sandbox whose owner sets the clock is left alone", async () => {
  const { secretKey } = await createMerchant(db);
  const demo = callerFor(secretKey);
  await demo.put("/sandbox/clock", { mode: "frozen", seed: "mine", now: "2026-01-01T08:00:00.000Z" });
  expect(await playHistory(demo, begin)).toBe("not ours");
  expect(await demo.list("/transfers")).toEqual([]);
});
