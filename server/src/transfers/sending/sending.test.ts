/**
 * What becomes of payouts when workers die, answers are lost and banks change their minds. Each test ends by comparing
 * two truths that share nothing: our ledger and the books of the simulated bank.
 */

import { sql } from "kysely";
import { expect, test } from "vitest";
import { withFaults } from "../../../testing/payments/bank-faults.ts";
import { createPayouts, type PayingSandbox } from "../../../testing/payments/payouts.ts";
import { kobo } from "../../money/kobo.ts";
import { inEnvironment } from "../../platform/database/database.ts";
import { answerFromNipCode } from "../../rails/nip-codes.ts";
import { sessionIdOf, type Transfer } from "../payouts/transfer.ts";
import { startSending } from "../payouts/transfer-store.ts";

const { db, bank, openSandbox } = await createPayouts();
const { rail } = bank;

async function expectAgreement(sandbox: PayingSandbox, paid: bigint): Promise<void> {
  expect(await sandbox.truths()).toEqual({ ours: kobo(paid), theirs: kobo(paid) });
  expect(await sandbox.differences()).toEqual([]);
}

/** A worker that is killed between its commit and its call: the payout has started and its lease is over, no order left. */
async function startAndDie(sandbox: PayingSandbox, id: string): Promise<void> {
  const transfer = await sandbox.read(id);
  const start = { id, accountName: transfer.accountName ?? "", connectionId: null };
  const sessionId = sessionIdOf(transfer, rail.senderCode);
  await inEnvironment(db, sandbox.environmentId, (tx) => startSending(tx, [{ ...start, sessionId }]));
}

/** A worker's lease runs out in real time, which no test waits for. */
async function endLease(sandbox: PayingSandbox, id: string): Promise<void> {
  await inEnvironment(db, sandbox.environmentId, (tx) =>
    sql`update transfers set claim_at = clock_timestamp() where id = ${id} and status = 'processing'`.execute(tx),
  );
}

async function sent(sandbox: PayingSandbox, reference: string, by = rail): Promise<Transfer> {
  const { id } = await sandbox.pay(reference);
  await sandbox.worker(by).round();
  return sandbox.read(id);
}

test("a payout that the bank makes is completed in one round", async () => {
  const sandbox = await openSandbox();
  const transfer = await sent(sandbox, "plain");
  expect(transfer).toMatchObject({ status: "completed", failureReason: null });
  expect(transfer.sessionId).toMatch(/^999001\d{24}$/);
  expect(await sandbox.events(transfer.id)).toEqual(["transfer.completed"]);
  await expectAgreement(sandbox, 100_000n);
});

test("a payout that the bank refuses fails and gives everything back", async () => {
  const sandbox = await openSandbox();
  const before = await sandbox.balance();
  const transfer = await sent(sandbox, "order_FAIL");
  expect(transfer).toMatchObject({ status: "failed", failureReason: { code: "nip_05" } });
  expect(await sandbox.balance()).toBe(before);
  await expectAgreement(sandbox, 0n);
});

test("a lost answer is found by asking, within about five seconds, and nothing is sent twice", async () => {
  const sandbox = await openSandbox();
  const { id, status } = await sent(sandbox, "order_TIMEOUT");
  expect(status).toBe("processing");
  await sandbox.advance(rail, 5);
  const transfer = await sandbox.read(id);
  expect(transfer.status).toBe("completed");
  expect(await sandbox.attempts(transfer)).toBe(1);
  await expectAgreement(sandbox, 100_000n);
});

test("a late success after many unknown answers completes the payout", async () => {
  const sandbox = await openSandbox();
  const faulty = withFaults(rail, { lostAnswers: 1, lateAnswers: 6 });
  const { id } = await sent(sandbox, "late", faulty.rail);
  await sandbox.advance(faulty.rail, 60);
  expect((await sandbox.read(id)).status).toBe("processing");
  await sandbox.advance(faulty.rail, 3_600);
  expect((await sandbox.read(id)).status).toBe("completed");
  expect(faulty.orders).toHaveLength(1);
  expect(faulty.queries()).toBe(7);
  await expectAgreement(sandbox, 100_000n);
});

test("a late refusal after unknown answers gives the money back", async () => {
  const sandbox = await openSandbox();
  const before = await sandbox.balance();
  const faulty = withFaults(rail, { lostAnswers: 1, lateAnswers: 2 });
  const { id } = await sent(sandbox, "late_FAIL", faulty.rail);
  expect(await sandbox.balance()).toBeLessThan(before);
  await sandbox.advance(faulty.rail, 60);
  expect((await sandbox.read(id)).status).toBe("failed");
  expect(await sandbox.balance()).toBe(before);
  await expectAgreement(sandbox, 0n);
});

test("a payment that the bank takes back after success is reversed, fees included", async () => {
  const sandbox = await openSandbox();
  const before = await sandbox.balance();
  const { id, status } = await sent(sandbox, "order_REVERSE");
  expect(status).toBe("completed");
  await expectAgreement(sandbox, 100_000n);
  await sandbox.advance(rail, 3);
  expect((await sandbox.read(id)).status).toBe("reversed");
  expect(await sandbox.balance()).toBe(before);
  expect(await sandbox.events(id)).toEqual(["transfer.completed", "transfer.reversed"]);
  await expectAgreement(sandbox, 0n);
});

test("a payment that was taken back before we heard of its success is completed first and then reversed", async () => {
  const sandbox = await openSandbox();
  const before = await sandbox.balance();
  const faulty = withFaults(rail, { lostAnswers: 1, lateAnswers: 3 });
  const { id } = await sent(sandbox, "early_REVERSE", faulty.rail);
  await sandbox.advance(faulty.rail, 10);
  expect((await sandbox.read(id)).status).toBe("processing");
  await sandbox.advance(faulty.rail, 120);
  expect((await sandbox.read(id)).status).toBe("reversed");
  expect(await sandbox.events(id)).toEqual(["transfer.completed", "transfer.reversed"]);
  expect(await sandbox.balance()).toBe(before);
  await expectAgreement(sandbox, 0n);
});

test("of two workers on the same transfers each is sent by one and has one outcome", async () => {
  const sandbox = await openSandbox();
  const transfers = await Promise.all(Array.from({ length: 40 }, (_, n) => sandbox.pay(`shared-${n}`)));
  const [one, other] = [withFaults(rail, {}), withFaults(rail, {})];
  const workers = [sandbox.worker(one.rail), sandbox.worker(other.rail)];
  await Promise.all(workers.map((worker) => worker.round()));
  const sessions = [...one.orders, ...other.orders].map((order) => order.sessionId);
  expect(sessions).toHaveLength(40);
  expect(new Set(sessions).size).toBe(40);
  for (const { id } of transfers) expect(await sandbox.events(id)).toEqual(["transfer.completed"]);
  await expectAgreement(sandbox, 4_000_000n);
});

test("two workers that hear opposite answers about one transfer give it one outcome", async () => {
  const sandbox = await openSandbox();
  const { id } = await sent(sandbox, "contested_TIMEOUT");
  const refusing = { ...rail, query: async () => answerFromNipCode("05") };
  await endLease(sandbox, id);
  await Promise.all([sandbox.advance(rail, 5), sandbox.worker(refusing).round()]);
  const events = await sandbox.events(id);
  expect(events).toHaveLength(1);
  expect(events).toEqual([`transfer.${(await sandbox.read(id)).status}`]);
  expect(await sandbox.differences()).toEqual([]);
});

test("a worker killed before its call leaves an order that is sent later, under the same session", async () => {
  const sandbox = await openSandbox();
  const { id } = await sandbox.pay("killed-before");
  await startAndDie(sandbox, id);
  const { sessionId, status } = await sandbox.read(id);
  expect(status).toBe("processing");
  const faulty = withFaults(rail, {});
  await sandbox.worker(faulty.rail).round();
  // The bank knows nothing, but the settle window is not over: the order may still be on its way.
  expect(faulty.orders).toEqual([]);
  await sandbox.advance(faulty.rail, 10);
  expect(faulty.orders.map((order) => order.sessionId)).toEqual([sessionId]);
  expect(await sandbox.read(id)).toMatchObject({ status: "completed", sessionId });
  await expectAgreement(sandbox, 100_000n);
});

test("a worker killed after its call leaves an order that is asked about and not sent again", async () => {
  const sandbox = await openSandbox();
  const { id } = await sandbox.pay("killed-after");
  const faulty = withFaults(rail, { crashAfterSend: 1 });
  await sandbox.worker(faulty.rail).round();
  expect((await sandbox.read(id)).status).toBe("processing");
  await endLease(sandbox, id);
  await sandbox.worker(faulty.rail).round();
  expect((await sandbox.read(id)).status).toBe("completed");
  expect(faulty.orders).toHaveLength(1);
  await expectAgreement(sandbox, 100_000n);
});

test("an order that the network delivers twice moves money once", async () => {
  const sandbox = await openSandbox();
  const faulty = withFaults(rail, { doubledOrders: 1 });
  const transfer = await sent(sandbox, "doubled", faulty.rail);
  expect(transfer.status).toBe("completed");
  expect(await sandbox.attempts(transfer)).toBe(2);
  await expectAgreement(sandbox, 100_000n);
});

test("a bank that forgot a payment and recognises sessions is sent the order again, and pays once", async () => {
  const sandbox = await openSandbox();
  const faulty = withFaults(rail, { lostAnswers: 1, forgottenRecords: 3 });
  const { id } = await sent(sandbox, "forgotten", faulty.rail);
  await sandbox.advance(faulty.rail, 60);
  const transfer = await sandbox.read(id);
  expect(transfer.status).toBe("completed");
  expect(new Set(faulty.orders.map((order) => order.sessionId))).toEqual(new Set([transfer.sessionId]));
  expect(await sandbox.attempts(transfer)).toBe(2);
  await expectAgreement(sandbox, 100_000n);
});

test("a bank that has no record and does not recognise sessions is never sent the order again", async () => {
  const sandbox = await openSandbox();
  const before = await sandbox.balance();
  const forgetful = { ...rail, deduplicatesBySession: false };
  const { id } = await sandbox.pay("for-the-operator");
  await startAndDie(sandbox, id);
  const faulty = withFaults(forgetful, {});
  await sandbox.worker(faulty.rail).round();
  await sandbox.advance(faulty.rail, 7_200);
  expect(faulty.orders).toEqual([]);
  expect(faulty.queries()).toBeGreaterThan(5);
  expect((await sandbox.read(id)).status).toBe("processing");
  expect(await sandbox.balance()).toBeLessThan(before);
  const listed = await sql<{ id: string }>`select id from list_owed_orders('transfer', 3600, 100)`.execute(db);
  expect(listed.rows.map((row) => row.id)).toContain(id);
  await expectAgreement(sandbox, 0n);
});

test("a payment in progress is paid when the clock has moved a day", async () => {
  const sandbox = await openSandbox();
  const { id } = await sent(sandbox, "order_PENDING");
  await sandbox.advance(rail, 84_000);
  expect((await sandbox.read(id)).status).toBe("processing");
  await expectAgreement(sandbox, 0n);
  // A day to the second: the last question is asked before it is over.
  await sandbox.advance(rail, 2_400);
  expect((await sandbox.read(id)).status).toBe("completed");
  await expectAgreement(sandbox, 100_000n);
});

test("a payout to a bank that is down waits, its money unmoved, and goes through once the bank is up", async () => {
  const sandbox = await openSandbox();
  const { id } = await sandbox.pay("downed");
  await bank.conditions.set(sandbox.environmentId, "000013", "down");
  await sandbox.worker(rail).round();
  await sandbox.advance(rail, 600);
  expect((await sandbox.read(id)).status).toBe("processing");
  await expectAgreement(sandbox, 0n);
  await bank.conditions.set(sandbox.environmentId, "000013", "up");
  await sandbox.advance(rail, 900);
  expect((await sandbox.read(id)).status).toBe("completed");
  await expectAgreement(sandbox, 100_000n);
});

test("sandboxes of the same seed have equal sessions and do not disturb each other", async () => {
  const sandboxes = [await openSandbox(), await openSandbox()];
  const sessions: (string | null)[] = [];
  for (const sandbox of sandboxes) {
    await sql`select set_environment_clock(${sandbox.environmentId}::uuid, 'frozen', '2026-11-01 08:30Z'::timestamptz,
      'lesson', false)`.execute(db);
    const { id } = await sandbox.pay("same");
    await sandbox.advance(rail, 1);
    const transfer = await sandbox.read(id);
    expect(transfer.status).toBe("completed");
    sessions.push(transfer.sessionId);
    await expectAgreement(sandbox, 100_000n);
  }
  expect(sessions[0]).toBe(sessions[1]);
});

test("whatever befalls many payouts at once, both books agree in the end and every payout is final", async () => {
  const sandbox = await openSandbox();
  const endings = ["", "_FAIL", "_TIMEOUT", "_REVERSE", "_PENDING"];
  const transfers = await Promise.all(
    Array.from({ length: 30 }, (_, n) => sandbox.pay(`storm-${n}${endings[n % endings.length]}`)),
  );
  const faulty = withFaults(rail, {
    crashBeforeSend: 3,
    crashAfterSend: 3,
    lostAnswers: 3,
    doubledOrders: 3,
    lateAnswers: 5,
    forgottenRecords: 5,
  });
  await sandbox.worker(faulty.rail).round();
  for (const { id } of transfers) await endLease(sandbox, id);
  await sandbox.worker(faulty.rail).round();
  await sandbox.advance(faulty.rail, 2 * 86_400);
  const ended = await Promise.all(transfers.map(({ id }) => sandbox.read(id)));
  const counted = Map.groupBy(ended, ({ status }) => status);
  expect([...counted].map(([status, list]) => [status, list.length]).sort()).toEqual([
    ["completed", 18],
    ["failed", 6],
    ["reversed", 6],
  ]);
  await expectAgreement(sandbox, 1_800_000n);
});
