import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";
import { connectVtpassTwin } from "../../../testing/providers/vtpass-subject.ts";
import { silentLog } from "../../../testing/work.ts";
import { kobo } from "../../money/kobo.ts";
import type { BillerRail } from "../../rails/biller.ts";
import type { Desk } from "../../rails/desk.ts";
import { readCatalogue, readConnectionCatalogue } from "./catalogue-store.ts";
import { rememberCatalogues } from "./remembered-catalogues.ts";
import { createCatalogueSync } from "./sync-catalogues.ts";

const { db } = await createTestDatabase();
const { twin, connected, rail } = await connectVtpassTwin();
afterAll(() => twin.close());

const id = randomUUID();
const connection = { id, name: "VTpass", provider: "vtpass", state: "active" };
const connections = { list: async () => [connection], find: async () => ({ connected }) };
const newSync = () => createCatalogueSync({ db, log: silentLog, connections });

/** A live environment is led to the connection, a sandbox to the simulation. */
const desk: Desk<BillerRail> = {
  find: async ({ kind }) => ({ connectionId: kind === "LIVE" ? id : null, rail }),
  bound: async () => rail,
  plain: async () => null,
};
const live = { environmentId: randomUUID(), kind: "LIVE" } as const;
const sandbox = { environmentId: randomUUID(), kind: "SANDBOX" } as const;

test("live bills are sold from their connection's lists, sandboxes keep the operator's catalogue", async () => {
  const operators = await readCatalogue(db, null);
  const before = rememberCatalogues(db, { biller: desk });
  expect(await before.current(live, "data")).toMatchObject({ dataPlans: [], tvPackages: [] });

  await newSync().readDue(new Date("2026-11-16T09:00:00Z"));
  const catalogues = rememberCatalogues(db, { biller: desk });
  const sold = await catalogues.current(live, "data");
  expect(sold.version).toBeGreaterThan(operators.version);
  expect(sold).toMatchObject({ source: "vtpass, connection VTpass", sourceDate: "2026-11-16" });
  expect(sold.dataPlans.find(({ planCode }) => planCode === "mtn-100mb-1000")).toEqual({
    planCode: "mtn-100mb-1000",
    network: "MTN",
    name: "N1000 1.5GB - 30 days",
    size: "1.5GB",
    validityDays: 30,
    amount: kobo(100_000n),
  });
  expect(sold.tvPackages.map(({ packageCode }) => packageCode)).toContain("gotv-smallie-1year");
  expect(await catalogues.current(sandbox, "data")).toEqual(operators);
  expect(await catalogues.version(sold.version)).toEqual(sold);
});

test("lists that have not changed are no new version, and those that cannot be read change nothing", async () => {
  const version = async () => (await readConnectionCatalogue(db, id))?.version;
  await newSync().readDue();
  const first = await version();
  await newSync().readDue();
  expect(await version()).toBe(first);
  twin.misbehave(["bad_gateway_after"], "GET /api/service-variations");
  const sync = newSync();
  const now = Date.now();
  await sync.readDue(new Date(now));
  expect(await version()).toBe(first);
  // It is tried again after some minutes, and not before.
  const calls = twin.calls.length;
  await sync.readDue(new Date(now + 60_000));
  expect(twin.calls).toHaveLength(calls);
  await sync.readDue(new Date(now + 5 * 60_000));
  expect(twin.calls.length).toBeGreaterThan(calls);
});

test("a biller's word that its lists have changed puts the next reading forward, but not into a flood", async () => {
  const sync = newSync();
  const now = Date.now();
  const reads = async (afterMinutes: number): Promise<boolean> => {
    const before = twin.calls.length;
    await sync.readDue(new Date(now + afterMinutes * 60_000));
    return twin.calls.length > before;
  };
  expect([await reads(0), await reads(10)]).toEqual([true, false]);
  for (let time = 0; time < 50; time += 1) sync.readSoon(id);
  expect([await reads(10), await reads(11)]).toEqual([true, false]);
  // The next word comes too soon after that, and waits.
  sync.readSoon(id);
  expect([await reads(14), await reads(15), await reads(16)]).toEqual([false, true, false]);
});
