import { sql } from "kysely";
import pg from "pg";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { createPayingApp, freshReference, type PayingApp } from "../../../testing/payments/paying-app.ts";
import { eventually, silentLog } from "../../../testing/work.ts";
import { inEnvironment } from "../../platform/database/database.ts";
import { createLogger } from "../../platform/logger.ts";
import { createEnvironmentLocks } from "../../platform/time/environment-lock.ts";
import { type ClaimedOrder, createHandOver } from "../../platform/work/rounds.ts";
import { sweep } from "../../platform/work/sweeper.ts";
import type { BankRail } from "../../rails/bank.ts";
import { deskOf } from "../../rails/desk.ts";
import { roomBy } from "../../rails/order-rounds.ts";
import { reportOwed } from "../../rails/owed-outcomes.ts";
import { startWorker } from "../../start/tasks.ts";
import type { Transfer } from "../payouts/transfer.ts";
import { owedTransfers } from "../slice.ts";
import { createTransferSender, transferSweepSources } from "./transfers.job.ts";

const { call, pay, balance, read, merchant, db, appUrl, tasks, rails } = await createPayingApp();
const environmentId = merchant.environment.id;

async function eventsOf(id: string): Promise<{ event: string; data: unknown }[]> {
  return inEnvironment(db, environmentId, (tx) =>
    tx
      .selectFrom("events")
      .select(["event", "data"])
      .where("resource_id", "=", id)
      .orderBy("resource_version")
      .execute(),
  );
}

async function isIn(id: string, status: string): Promise<boolean> {
  return (await read(id))["status"] === status;
}

describe("a running worker", async () => {
  const locks = createEnvironmentLocks({ url: appUrl });
  const worker = await startWorker({ db, log: silentLog, locks, tasks, directUrl: appUrl, graceMs: 2_000 });
  afterAll(async () => {
    await worker.stop();
    await locks.close();
  });

  test("completes a payout, and the event holds what GET shows", async () => {
    const { id } = (await pay()).json().data;
    await eventually("the payout is completed", () => isIn(id, "completed"));
    const shown = await read(id);
    expect(shown["sessionId"]).toMatch(/^\d{30}$/);
    expect(await eventsOf(id)).toEqual([{ event: "transfer.completed", data: shown }]);
  });

  test("fails a payout that the bank refuses, and gives amount and fees back", async () => {
    const before = (await balance()).available;
    const { id } = (await pay({ reference: freshReference("_FAIL"), amount: 10_000 })).json().data;
    await eventually("the payout has failed", () => isIn(id, "failed"));
    expect(await eventsOf(id)).toEqual([{ event: "transfer.failed", data: await read(id) }]);
    expect((await balance()).available).toBe(before);
  });

  test("finds out about a lost answer by itself", async () => {
    const { id } = (await pay({ reference: freshReference("_TIMEOUT") })).json().data;
    await eventually("the payout is completed", () => isIn(id, "completed"));
  });

  test("does not let anybody wait behind a slow bank", async () => {
    const transfers = [{ accountNumber: "0690000032", bankCode: "998", amount: 500, reference: freshReference() }];
    const body = { batchReference: freshReference(), currency: "NGN", transfers };
    const [item] = (await call("POST", "/transfers/bulk", { body })).json().data.transfers;
    const { id } = (await pay()).json().data;
    await eventually("the quick bank has paid", () => isIn(id, "completed"));
    expect(await isIn(item.id, "completed")).toBe(false);
  });
});

describe("rounds of a sender", () => {
  /** Holds every order until it is told to let go. */
  function heldRail(): { rail: BankRail; orders: string[]; letGo(): void } {
    const gate = Promise.withResolvers<void>();
    const orders: string[] = [];
    const { rail } = rails.simulatedBank;
    const send: BankRail["send"] = async (order) => {
      orders.push(order.nipCode);
      await gate.promise;
      return rail.send(order);
    };
    return { rail: { ...rail, send }, orders, letGo: gate.resolve };
  }

  test("pass over a bank that keeps many waiting, until it has answered", async () => {
    const other = await createPayingApp();
    const held = heldRail();
    const deps = { db: other.db, groupCommit: other.groupCommit, sendingDesk: createHandOver<never>(), log: silentLog };
    const sending = { ...deps, rails: { bank: deskOf({ SANDBOX: held.rail, LIVE: null }) } };
    const sender = createTransferSender(sending, "SANDBOX");
    const waiting = 220;
    await Promise.all(Array.from({ length: waiting }, () => other.pay({ bankCode: "044" })));
    for (let count = 0; count < 5; count += 1) await sender.round();
    await eventually("the bank has its orders", () => held.orders.length >= roomBy.SANDBOX.inHand / 2);
    const quick = await other.pay({ bankCode: "058" });
    await sender.round();
    await eventually("the other bank has its order", () => held.orders.includes("000013"));
    expect(held.orders.length).toBeLessThan(waiting);
    held.letGo();
    await sender.drain();
    await sender.round();
    await sender.drain();
    expect(held.orders).toHaveLength(waiting + 1);
    expect(await other.read(quick.json().data.id)).toMatchObject({ status: "completed" });
    expect((await other.balance()).held).toBe(0);
  });
});

describe("a payout that is accepted in the worker's own process", () => {
  const rowOf = (app: PayingApp, id: string) =>
    inEnvironment(app.db, app.merchant.environment.id, (tx) =>
      tx
        .selectFrom("transfers")
        .select(["status", "version", "session_id", "sent_at", "created_at"])
        .where("id", "=", id)
        .executeTakeFirstOrThrow(),
    );

  test("is written as under way, starts with its commit, and is shown as it was accepted", async () => {
    const app = await createPayingApp();
    const started: ClaimedOrder<Transfer>[] = [];
    app.rails.sendingDesk.join("SANDBOX", { room: () => 1, start: (claimed) => started.push(claimed) });
    const reply = (await app.pay()).json().data;
    expect(reply).toMatchObject({ status: "pending", sessionId: null });
    const row = await rowOf(app, reply.id);
    expect(row).toMatchObject({ status: "processing", version: 2, sent_at: row.created_at });
    expect(started).toMatchObject([{ fresh: true, order: { id: reply.id, sessionId: row.session_id, version: 2 } }]);
    await app.work();
    expect(await app.read(reply.id)).toMatchObject({ status: "processing" });
  });

  test("waits in the queue without room, while the clock stands, and while its name is unknown", async () => {
    const app = await createPayingApp();
    const started: ClaimedOrder<Transfer>[] = [];
    const taker = { room: () => 0, start: (claimed: ClaimedOrder<Transfer>) => started.push(claimed) };
    app.rails.sendingDesk.join("SANDBOX", taker);
    const queued = (await app.pay()).json().data;
    expect(await rowOf(app, queued.id)).toMatchObject({ status: "pending", version: 1, session_id: null });
    app.rails.sendingDesk.join("SANDBOX", { ...taker, room: () => 10 });
    const transfers = [{ accountNumber: "0690000032", bankCode: "044", amount: 500, reference: freshReference() }];
    const body = { batchReference: freshReference(), currency: "NGN", transfers };
    const [item] = (await app.call("POST", "/transfers/bulk", { body })).json().data.transfers;
    expect(await rowOf(app, item.id)).toMatchObject({ status: "pending" });
    await app.call("PUT", "/sandbox/clock", { body: { mode: "frozen", seed: "still" } });
    await app.pay();
    expect(started).toEqual([]);
  });

  test("is asked about, and paid once, when the process ends between its commit and its start", async () => {
    const app = await createPayingApp();
    app.rails.sendingDesk.join("SANDBOX", { room: () => 1, start: () => undefined });
    const { id } = (await app.pay()).json().data;
    app.rails.sendingDesk.leave("SANDBOX");
    await app.work();
    expect(await app.read(id)).toMatchObject({ status: "processing" });
    await inEnvironment(app.db, app.merchant.environment.id, (tx) =>
      sql`update transfers set claim_at = clock_timestamp() where id = ${id}`.execute(tx),
    );
    await app.work();
    await app.call("POST", "/sandbox/clock/advance", { body: { seconds: 600 } });
    await app.work();
    expect(await app.read(id)).toMatchObject({ status: "completed" });
    const owner = new pg.Client({ connectionString: app.ownerUrl });
    await owner.connect();
    onTestFinished(() => owner.end());
    const paid = await owner.query("select session_id from simulated_bank.payments where sandbox = $1", [
      app.merchant.environment.id,
    ]);
    expect(paid.rows).toEqual([{ session_id: (await rowOf(app, id)).session_id }]);
    expect((await app.balance()).held).toBe(0);
  });
});

describe("a bulk item whose bank is away", () => {
  test("is tried for a quarter of an hour, then fails and gives its money back", async () => {
    const other = await createPayingApp();
    const before = await other.balance();
    await other.call("PUT", "/sandbox/clock", { body: { mode: "frozen", seed: "away" } });
    const transfers = [{ accountNumber: "0690000032", bankCode: "999", amount: 500, reference: freshReference() }];
    const body = { batchReference: freshReference(), currency: "NGN", transfers };
    const reply = await other.call("POST", "/transfers/bulk", { body });
    const [{ id }] = reply.json().data.transfers;
    await other.call("POST", "/sandbox/clock/advance", { body: { seconds: 890 } });
    expect(await other.read(id)).toMatchObject({ status: "pending" });
    await other.call("POST", "/sandbox/clock/advance", { body: { seconds: 30 } });
    expect(await other.read(id)).toMatchObject({ status: "failed", failureReason: { code: "bank_unavailable" } });
    expect(await other.balance()).toEqual(before);
  });
});

describe("the sweeper", () => {
  test.each([
    ["pending", ""],
    ["processing", "_PENDING"],
  ])("finds a %s payout that nothing would move", async (status, ending) => {
    const other = await createPayingApp();
    const { id } = (await other.pay({ reference: freshReference(ending) })).json().data;
    if (status === "processing") await other.work();
    expect(await sweep(other.db, transferSweepSources, silentLog)).toBe(0);
    await inEnvironment(other.db, other.merchant.environment.id, async (tx) => {
      await sql`delete from agenda`.execute(tx);
      await sql`update transfers set claim_at = null where id = ${id}`.execute(tx);
    });
    expect(await sweep(other.db, transferSweepSources, silentLog)).toBe(1);
    expect(await sweep(other.db, transferSweepSources, silentLog)).toBe(0);
  });
});

test("payouts that have been unknown for a minute are told to the log", async () => {
  const other = await createPayingApp();
  await other.pay({ reference: freshReference("_PENDING") });
  await other.work();
  const told: unknown[] = [];
  const log = createLogger({ level: "silent" });
  log.info = ((about: unknown) => told.push(about)) as typeof log.info;
  await reportOwed(other.db, log, [owedTransfers]);
  expect(told).toEqual([]);
  await other.call("POST", "/sandbox/clock/advance", { body: { seconds: 90 } });
  await reportOwed(other.db, log, [owedTransfers]);
  expect(told).toEqual([{ environment: "SANDBOX", count: 1, oldestSeconds: expect.any(Number) }]);
});
