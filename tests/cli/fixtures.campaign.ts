/** A lively sandbox by one command: everything in every state, and again with the same people. */
import { expect, test, vi } from "vitest";
import { createCommandWorld } from "./world.ts";

const { jara, sdk } = await createCommandWorld();
vi.setConfig({ testTimeout: 240_000 });

const totalOf = (states: Readonly<Record<string, number>>) => Object.values(states).reduce((sum, one) => sum + one, 0);

test("makes everything in every state, and says what it did to the clock", async () => {
  const { code, out, err } = await jara.run("fixtures", "--seed", "lively", "--json");
  expect([code, err]).toEqual([0, ""]);
  const { made, clock, references } = JSON.parse(out);
  expect(made.customers).toEqual({ verified: 46, failed: 4 });
  expect(totalOf(made.payouts)).toBe(200);
  expect(Object.keys(made.payouts).sort()).toEqual(["completed", "failed", "processing", "reversed"]);
  expect(Object.keys(made.bills).sort()).toEqual(["failed", "processing", "reversed", "successful"]);
  const loans = ["active", "approved", "cancelled", "completed", "overdue", "pending", "rejected"];
  expect(Object.keys(made.loans).sort()).toEqual(loans);
  const purchases = ["active", "cancelled", "completed", "expired", "overdue", "pending_consent", "rejected"];
  expect(Object.keys(made.purchases).sort()).toEqual(purchases);
  expect(made.sessions).toEqual({ completed: 2, open: 2, expired: 1, cancelled: 1 });
  expect(clock.mode).toBe("running");
  expect(Date.parse(clock.to) - Date.parse(clock.from)).toBeLessThan(40 * 86_400_000);
  const categories = (await sdk.bills.list({ limit: 100 }).toArray(1_000)).map(({ category }) => category);
  expect(new Set(categories)).toEqual(new Set(["airtime", "data", "electricity", "tv", "betting"]));
  expect(await sdk.webhooks.endpoints.list().toArray()).toMatchObject([{ enabled: false }]);
  expect((await sdk.transfers.list({ status: "reversed" }).toArray(1))[0]?.reference).toContain(references);
});

test("a second run adds to it with the same people, and prints what to look at", async () => {
  const { code, out, err } = await jara.run("fixtures", "--seed", "lively");
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(/payouts\s+200 {2}\d+ completed, /);
  expect(out).toMatch(/The clock was moved from .+ to .+ and runs on from there\./);
  expect(out).toContain("jara loans list --status overdue");
  expect(await sdk.loans.bnpl.customers.list({ limit: 100 }).toArray(1_000)).toHaveLength(50);
  expect(await sdk.transfers.list({ limit: 100 }).toArray(1_000)).toHaveLength(400);
});

test("a live key is refused", async () => {
  const { code, err } = await jara.run("fixtures", "--live", "--key", `sk_live_${"A".repeat(36)}`);
  expect(code).toBe(4);
  expect(err).toContain("works in a sandbox only");
});
