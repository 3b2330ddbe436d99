import { sql } from "kysely";
import { afterAll, describe, expect, test } from "vitest";
import { createPayingApp, freshReference } from "../../testing/payments/paying-app.ts";
import { eventually, silentLog } from "../../testing/work.ts";
import { inEnvironment } from "../platform/database/database.ts";
import { createLogger } from "../platform/logger.ts";
import { createEnvironmentLocks } from "../platform/time/environment-lock.ts";
import { inHandBy } from "../platform/work/claim-rounds.ts";
import { sweep } from "../platform/work/sweeper.ts";
import type { BankRail } from "../rails/bank.ts";
import { deskOf } from "../rails/desk.ts";
import { reportOwed } from "../rails/owed-outcomes.ts";
import { startWorker } from "../tasks.ts";
import { owedTransfers } from "./owed-transfers.ts";
import { createTransferSender } from "./send-transfers.job.ts";
import { transferSweepSources } from "./take-up-transfer.job.ts";

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
    expect((await balance()).available).toBeCloseTo(before - 10_076.88, 2);
    await eventually("the payout has failed", () => isIn(id, "failed"));
    expect(await eventsOf(id)).toEqual([{ event: "transfer.failed", data: await read(id) }]);
    expect((await balance()).available).toBe(before);
  });

  test("finds out about a lost answer within about five seconds", async () => {
    const { id } = (await pay({ reference: freshReference("_TIMEOUT") })).json().data;
    await eventually("the payout is completed", () => isIn(id, "completed"), 8_000);
  });

  test("does not let anybody wait behind a slow bank", async () => {
    const transfers = [{ accountNumber: "0690000032", bankCode: "998", amount: 500, reference: freshReference() }];
    const body = { batchReference: freshReference(), currency: "NGN", transfers };
    const [item] = (await call("POST", "/transfers/bulk", { body })).json().data.transfers;
    const { id } = (await pay()).json().data;
    await eventually("the quick bank has paid", () => isIn(id, "completed"), 2_000);
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
    const deps = { db: other.db, groupCommit: other.groupCommit, log: silentLog };
    const sending = { ...deps, rails: { bank: deskOf({ SANDBOX: held.rail, LIVE: null }) } };
    const sender = createTransferSender(sending, "SANDBOX");
    const waiting = 220;
    await Promise.all(Array.from({ length: waiting }, () => other.pay({ bankCode: "044" })));
    for (let count = 0; count < 5; count += 1) await sender.round();
    await eventually("the bank has its orders", () => held.orders.length >= inHandBy.SANDBOX / 2);
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
