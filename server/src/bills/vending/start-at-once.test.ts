/** Bills that start with their acceptance, in the process that accepted them. */
import { sql } from "kysely";
import { beforeEach, expect, test } from "vitest";
import { withBillerFaults } from "../../../testing/payments/biller-faults.ts";
import { type BillsApp, createBillsApp, freshReference } from "../../../testing/payments/bills-app.ts";
import { kobo } from "../../money/kobo.ts";
import { inEnvironment } from "../../platform/database/database.ts";
import type { ClaimedOrder } from "../../platform/work/rounds.ts";
import type { Bill } from "./bill.ts";
import { orderOf } from "./bill-order.ts";

let app: BillsApp;
beforeEach(async () => {
  app = await createBillsApp();
});

function sit(room: number): ClaimedOrder<Bill>[] {
  const started: ClaimedOrder<Bill>[] = [];
  app.rails.vendingDesk.join("SANDBOX", { room: () => room, start: (claimed) => started.push(claimed) });
  return started;
}

const inBox = <T>(work: Parameters<typeof inEnvironment<T>>[2]) =>
  inEnvironment(app.db, app.merchant.environment.id, work);

const rowOf = (id: string) =>
  inBox((tx) =>
    tx
      .selectFrom("bills")
      .select(["status", "version", "request_id", "sent_at", "created_at"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow(),
  );

const leaseEnds = (id: string) =>
  inBox((tx) => sql`update bills set claim_at = clock_timestamp() where id = ${id}`.execute(tx));

test("a bill is written as under way, starts with its commit, and is shown as it was accepted", async () => {
  const started = sit(1);
  const reply = (await app.vend("airtime")).json().data;
  expect(reply).toMatchObject({ status: "pending" });
  const row = await rowOf(reply.id);
  expect(row).toMatchObject({ status: "processing", version: 2, request_id: reply.id, sent_at: row.created_at });
  expect(started).toMatchObject([{ fresh: true, order: { id: reply.id, requestId: reply.id, version: 2 } }]);
  // It is its starter's until the lease runs out.
  await app.work();
  expect(await app.attempts(reply.id)).toBe(0);
});

test("a reference that is sent again returns the bill that was started, and starts nothing", async () => {
  const started = sit(10);
  const body = { reference: freshReference() };
  const [first, again] = [await app.vend("airtime", body), await app.vend("airtime", body)];
  expect([first.statusCode, again.statusCode]).toEqual([201, 200]);
  expect(again.json().data).toMatchObject({ id: first.json().data.id, status: "processing" });
  expect(started).toHaveLength(1);
});

test("a bill waits in the queue without room, and while the clock stands", async () => {
  const full = sit(0);
  const queued = (await app.vend("airtime")).json().data;
  expect(await rowOf(queued.id)).toMatchObject({ status: "pending", version: 1, request_id: null, sent_at: null });
  await app.work();
  expect(await app.read(queued.id)).toMatchObject({ status: "successful" });
  await app.call("PUT", "/sandbox/clock", { body: { mode: "frozen", seed: "still" } });
  const started = sit(10);
  expect((await app.vend("airtime")).statusCode).toBe(201);
  expect([full, started]).toEqual([[], []]);
});

test("a biller that takes no orders is sent none", async () => {
  const started = sit(10);
  const { id } = (await app.vend("airtime")).json().data;
  expect(started.map(({ order }) => order.id)).toEqual([id]);
  await app.call("PUT", "/sandbox/rails/biller", { body: { state: "held" } });
  expect((await app.vend("airtime")).statusCode).toBe(503);
  expect(started).toHaveLength(1);
});

test("of many at once so many start as there is room with their provider", async () => {
  const started = sit(2);
  const bills = Array.from({ length: 5 }, (_, place) =>
    app.vend("airtime", place === 4 ? { network: "GLO", phoneNumber: "08051234567" } : {}),
  );
  for (const reply of await Promise.all(bills)) expect(reply.statusCode).toBe(201);
  // A desk that always says two gives two to each batch; what is started and what waits are all of them.
  await app.work();
  const rows = await inBox((tx) => tx.selectFrom("bills").select(["id", "status"]).execute());
  const underWay = rows.filter(({ status }) => status === "processing").map(({ id }) => id);
  expect(underWay.sort()).toEqual(started.map(({ order }) => order.id).sort());
  expect(rows.filter(({ status }) => status === "successful")).toHaveLength(5 - underWay.length);
});

test("a bill is asked about, and vended once, when the process ends between its commit and its start", async () => {
  sit(1);
  const { id } = (await app.vend("airtime")).json().data;
  app.rails.vendingDesk.leave("SANDBOX");
  await leaseEnds(id);
  const { rail, orders, queries } = withBillerFaults(app.rails.simulatedBiller.rail, {});
  await app.work(rail);
  expect([orders, queries()]).toEqual([[], 1]);
  await app.advance(600);
  expect(await app.read(id)).toMatchObject({ status: "successful" });
  expect(await app.attempts(id)).toBe(1);
  expect(await app.truths()).toEqual({ ours: kobo(100_000n), theirs: kobo(100_000n) });
  expect(await app.differences()).toEqual([]);
});

test("a bill that was vended before its process ended is not vended again", async () => {
  const started = sit(1);
  const { id } = (await app.vend("airtime")).json().data;
  const { rail } = app.rails.simulatedBiller;
  const [claimed] = started;
  if (claimed === undefined) throw new Error("nothing was started");
  await rail.vend(orderOf(claimed, claimed.order));
  app.rails.vendingDesk.leave("SANDBOX");
  await leaseEnds(id);
  await app.work();
  expect(await app.read(id)).toMatchObject({ status: "successful" });
  expect(await app.attempts(id)).toBe(1);
  expect(await app.differences()).toEqual([]);
});
