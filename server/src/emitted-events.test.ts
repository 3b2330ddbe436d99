/** What is announced really is what was declared, and what GET shows. */
import { beforeAll, describe, expect, test } from "vitest";
import { createTestApp } from "../testing/app.ts";
import { refuseUndeclaredEvents } from "../testing/document/declared-events.ts";
import { application } from "../testing/lending/loans.ts";
import { findEventFaults, record, someEvent } from "../testing/webhooks/events.ts";
import { asOwner, withOwner } from "../testing/work.ts";
import { sequenceEvents } from "./platform/records/sequencer.ts";
import { house } from "./start/slices.ts";

const testing = await createTestApp();
const { call } = testing;

async function post(path: string, body: unknown): Promise<{ readonly id: string }> {
  const reply = await call("POST", path, { body });
  if (reply.statusCode >= 300) throw new Error(`POST ${path} answered ${reply.body}`);
  return reply.json().data;
}

const payout = (reference: string) => ({
  accountNumber: "0123456789",
  bankCode: "058",
  amount: 1500,
  currency: "NGN",
  reference,
});

/** Loans that end in each way, or stop where the last event is news. */
async function playLoans(): Promise<void> {
  const ask = (changes = {}) => post("/loans/create", { ...application, ...changes });
  const [repaid, bounced, cancelled] = [await ask(), await ask(), await ask()];
  await ask({ bvn: "22123450000" });
  await ask({ tenure_type: "weekly" });
  await post(`/loans/${cancelled.id}/cancel`, {});
  await post("/sandbox/clock/advance", { days: 1 });
  await post(`/loans/${repaid.id}/repayments`, { amount: 200_000, reference: "all", channel: "wallet" });
  const repayment = await post(`/loans/${bounced.id}/repayments`, { amount: 1, reference: "one", channel: "cash" });
  await post(`/loans/${bounced.id}/repayments/${repayment.id}/reverse`, { reason: "It bounced" });
  await post("/sandbox/clock/advance", { days: 9 });
}

/** A frozen sandbox plays everything out while its clock is moved, without a worker. */
beforeAll(async () => {
  await call("PUT", "/sandbox/clock", { body: { mode: "frozen", now: "2026-11-02T08:00:00.000Z", seed: "events" } });
  await post("/sandbox/wallets/fund", { amount: 500_000 });
  for (const ending of ["plain", "1_FAIL", "2_REVERSE", "3_TIMEOUT"]) await post("/transfers", payout(`one-${ending}`));
  const transfers = [payout("many-1"), payout("many-2_FAIL"), payout("many-3")];
  await post("/transfers/bulk", { batchReference: "many", currency: "NGN", transfers });
  const airtime = { network: "MTN", phoneNumber: "08031234567", amount: 500 };
  for (const ending of ["plain", "1_FAIL", "2_REVERSE"]) {
    await post("/bills/airtime/vend", { ...airtime, reference: `bill-${ending}` });
  }
  const { id } = await post("/webhooks/endpoints", { url: "http://localhost:9/hooks" });
  await post(`/webhooks/endpoints/${id}/test`, {});
  await playLoans();
  await sequenceEvents(testing.db);
});

async function emittedNames(): Promise<Set<string>> {
  const reply = await call("GET", "/events?limit=100");
  return new Set(reply.json().data.map(({ event }: { event: string }) => event));
}

describe("emitted events", () => {
  test("cover loans, payouts, batches, bills, wallets and endpoints", async () => {
    expect([...(await emittedNames())].sort()).toEqual([
      "bill.failed",
      "bill.reversed",
      "bill.successful",
      "loan.approved",
      "loan.cancelled",
      "loan.completed",
      "loan.created",
      "loan.disbursed",
      "loan.overdue",
      "loan.rejected",
      "loan.repayment.failed",
      "loan.repayment.successful",
      "transfer.batch.completed",
      "transfer.completed",
      "transfer.failed",
      "transfer.reversed",
      "wallet.credited",
      "webhook.test",
    ]);
  });

  test("fit the catalogue and equal what GET shows", async () => {
    expect(await findEventFaults(testing)).toEqual([]);
  });
});

describe("the proof itself", () => {
  const { environment } = testing.otherMerchant;

  test("finds an undeclared name, here and at the end of every test of the app", async () => {
    await record(testing.db, environment.id, someEvent("transfer.vanished"));
    expect(await findEventFaults(testing)).toContain("transfer.vanished: no catalogue declares it");
    const judged = withOwner(testing.ownerUrl, (owner) => refuseUndeclaredEvents(owner, house.events));
    await expect(judged).rejects.toThrow("transfer.vanished");
    await asOwner(testing.ownerUrl, "delete from events where event = 'transfer.vanished'");
  });

  test.each([
    ["a missing field", someEvent("wallet.credited", {}), "wallet.credited: data.id is required"],
    ["an undeclared field", someEvent("wallet.credited", { pin: "1234" }), "must not have the field pin"],
    ["a bare number", someEvent("wallet.credited", { holder: { bvn: "22123456789" } }), "bvn is not masked"],
    ["a record that GET does not show", someEvent("transfer.failed", { id: crypto.randomUUID() }), "GET shows null"],
  ])("finds %s", async (_name, event, fault) => {
    await record(testing.db, environment.id, event);
    const faults = await findEventFaults(testing);
    expect(faults.filter((text) => text.includes(fault))).not.toEqual([]);
  });
});
