import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { receiveHooks } from "../../../testing/providers/hook-receiver.ts";
import { paymentOrder } from "../../../testing/providers/payment-order.ts";
import { openPaystackBench, type PaystackBench } from "../../../testing/providers/paystack-bench.ts";
import { startPaystackTwin } from "../../../testing/providers/paystack-twin.ts";
import { changedReply, refusal } from "../../../testing/providers/twin-faults.ts";
import type { TwinReply } from "../../../testing/providers/twin-wire.ts";
import { kobo } from "../../money/kobo.ts";
import { recordAt } from "../wire-json.ts";
import { paystack } from "./provider.ts";

let bench: PaystackBench;
const opened: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  bench = await openPaystackBench();
  opened.push(bench.twin.close);
});
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

const success = { outcome: "success" };
const unknown = { outcome: "unknown" };
const posted = () => bench.twin.count("POST /transfer");

function changed(changes: object) {
  return changedReply("changed", (reply: TwinReply) => ({
    ...reply,
    body: { ...recordAt(reply.body), data: { ...recordAt(reply.body, "data"), ...changes } },
  }));
}

describe("traps", () => {
  test("a reply that is lost after the order was taken: one transfer, found by asking", async () => {
    const order = paymentOrder();
    bench.twin.misbehave(["lost_reply"], "POST /transfer");
    expect(await bench.rail.send(order)).toEqual({ outcome: "unknown", code: "no_answer" });
    expect(await bench.rail.query(order)).toMatchObject(success);
    expect([posted(), bench.twin.bank.transfers.size]).toEqual([1, 1]);
  });

  test.each([400, 404] as const)(
    "a used reference is refused with %i: it exists, so it is asked about",
    async (status) => {
      const order = paymentOrder();
      bench.twin.bank.duplicateStatus = status;
      await bench.rail.send(order);
      expect(await bench.rail.send(order)).toEqual({ outcome: "unknown", code: "duplicate_transfer_reference" });
      expect(await bench.rail.query(order)).toMatchObject(success);
      expect(bench.twin.bank.paidOut()).toBe(Number(order.amount));
    },
  );

  test("pending, then an event, then the answer to our own question", async () => {
    const order = paymentOrder();
    bench.twin.bank.outcome = "pending";
    expect(await bench.rail.send(order)).toMatchObject({ outcome: "unknown", code: "pending" });
    bench.twin.bank.settle(order.sessionId, "success");
    const hooks = await receiveHooks((request) => bench.connected.readHook?.(request));
    opened.push(hooks.close);
    const { url } = hooks;
    await bench.twin.sendHook(url, "transfer.success", { reference: order.sessionId, amount: 1 });
    await bench.twin.sendHook(url, "transfer.success", { reference: order.sessionId }, "forged");
    await bench.twin.sendHook(url, "transfer.success", { reference: order.sessionId }, "unsigned");
    const hint = { about: "bank", id: order.sessionId, event: "transfer.success" };
    expect(hooks.read).toEqual([hint, { about: "forged" }, { about: "forged" }]);
    expect(await bench.rail.query(order)).toMatchObject(success);
  });

  test("a one-time password is unknown and an alarm; given up later, it is a failure", async () => {
    const order = paymentOrder();
    bench.twin.bank.outcome = "otp";
    const held = { outcome: "unknown", hold: { reason: "otp_required" }, alarm: expect.any(String) };
    expect(await bench.rail.send(order)).toMatchObject(held);
    bench.twin.bank.settle(order.sessionId, "abandoned");
    expect(await bench.rail.query(order)).toMatchObject({ outcome: "failure", code: "payment_abandoned" });
  });

  test("a test key that pays everything is never a success on a live connection", async () => {
    const twin = await startPaystackTwin(0, { secretKey: "sk_test_twin" });
    opened.push(twin.close);
    const settings = { connectionId: "c", baseUrl: twin.url, credentials: { secretKey: "sk_test_twin" } };
    const live = paystack.connect({ ...settings, mode: "live" });
    const order = paymentOrder();
    expect(await live.bank?.send(order)).toMatchObject({ outcome: "unknown", alarm: expect.any(String) });
    expect(await live.bank?.query(order)).toMatchObject({ outcome: "unknown", alarm: expect.any(String) });
    expect(await live.check()).toEqual([{ name: "key", result: "failed", message: expect.any(String) }]);
    expect(await paystack.connect({ ...settings, mode: "test" }).bank?.query(order)).toMatchObject(success);
  });

  test("a reversal is told as taken back, with the trace, as often as it is asked about", async () => {
    const order = paymentOrder();
    await bench.rail.send(order);
    bench.twin.bank.settle(order.sessionId, "reversed");
    const takenBack = { outcome: "taken_back", trace: { networkSessionId: expect.stringMatching(/^\d{30}$/) } };
    expect(await bench.rail.query(order)).toMatchObject(takenBack);
    expect(await bench.rail.query(order)).toMatchObject(takenBack);
    expect(bench.twin.bank.paidOut()).toBe(0);
  });

  test.each([{ amount: 1 }, { reference: "another-reference-0001" }, { currency: "USD" }, { domain: "test" }])(
    "a reply with %j is not about our order",
    async (changes) => {
      const order = paymentOrder();
      bench.twin.misbehave([changed(changes)], "POST /transfer");
      bench.twin.misbehave([changed(changes)], "GET /transfer/verify/:reference");
      expect(await bench.rail.send(order)).toMatchObject({ outcome: "unknown", alarm: expect.any(String) });
      expect(await bench.rail.query(order)).toMatchObject({ outcome: "unknown", alarm: expect.any(String) });
      expect(await bench.rail.query(order)).toMatchObject(success);
    },
  );

  test("a question with another amount than the order's does not take the payment for ours", async () => {
    const order = paymentOrder();
    await bench.rail.send(order);
    const other = { ...order, amount: kobo(order.amount + 1n) };
    expect(await bench.rail.query(other)).toMatchObject({ outcome: "unknown", alarm: expect.any(String) });
  });

  test.each(["bad_gateway_after", "cut_json", "cut_reply", "empty", "page_after", "error_after", "too_many"] as const)(
    "%s settles nothing, neither when sent nor when asked about",
    async (fault) => {
      const order = paymentOrder();
      bench.twin.misbehave([fault], "POST /transfer");
      bench.twin.misbehave([fault], "GET /transfer/verify/:reference");
      expect(await bench.rail.send(order)).toMatchObject(unknown);
      expect(await bench.rail.query(order)).toMatchObject(unknown);
      const isTaken = fault !== "too_many";
      expect(await bench.rail.query(order)).toMatchObject(isTaken ? success : { outcome: "no_record" });
    },
  );

  test("an error without code, type and meta is read by its words", async () => {
    const order = paymentOrder();
    const old = { status: false, message: "Recipient specified is invalid" };
    bench.twin.misbehave([refusal("old error", { status: 400, body: old })], "POST /transfer");
    expect(await bench.rail.send(order)).toMatchObject({ outcome: "failure", code: "payment_refused" });
  });

  test("a proxy that finds nothing is not Paystack that has no record", async () => {
    const order = paymentOrder();
    await bench.rail.send(order);
    bench.twin.misbehave(["not_found_page"], "GET /transfer/verify/:reference");
    expect(await bench.rail.query(order)).toEqual({ outcome: "unknown", code: "http_404" });
  });
});

describe("an order", () => {
  test("names the account, the amount and our reference, and nothing is ordered twice", async () => {
    const order = paymentOrder({ narration: "x".repeat(300) });
    expect(await bench.rail.send(order)).toMatchObject(success);
    const [transfer] = bench.twin.bank.transfers.values();
    expect(transfer).toMatchObject({
      reference: order.sessionId,
      amount: Number(order.amount),
      recipient: { accountNumber: order.accountNumber, bankCode: "058", name: order.accountName },
      reason: "x".repeat(100),
    });
  });

  test("to an account that Paystack does not take is a failure, and no transfer was asked for", async () => {
    expect(await bench.rail.send(paymentOrder({ accountNumber: "0000000000" }))).toMatchObject({
      outcome: "failure",
      code: "account_refused",
    });
    expect(posted()).toBe(0);
  });

  test("whose recipient is another account is not sent", async () => {
    const other = { details: { account_number: "9876543210", bank_code: "058" } };
    bench.twin.misbehave([changed(other)], "POST /transferrecipient");
    expect(await bench.rail.send(paymentOrder())).toMatchObject({ outcome: "unknown", alarm: expect.any(String) });
    expect(posted()).toBe(0);
  });

  test.each(["lost_reply", "unavailable", "too_many"] as const)(
    "whose recipient could not be made (%s) is not sent, and asking says so",
    async (fault) => {
      const order = paymentOrder();
      bench.twin.misbehave([fault], "POST /transferrecipient");
      expect(await bench.rail.send(order)).toMatchObject(unknown);
      expect(posted()).toBe(0);
      expect(await bench.rail.query(order)).toEqual({ outcome: "no_record" });
    },
  );

  test("beyond the balance holds the connection and is not a failure", async () => {
    const order = paymentOrder({ amount: kobo(BigInt(bench.twin.account.balance())) });
    expect(await bench.rail.send(order)).toMatchObject({ outcome: "unknown", hold: { reason: "float_empty" } });
    expect(await bench.rail.query(order)).toEqual({ outcome: "no_record" });
  });

  test("with a refused key holds the connection, and the key is in no answer", async () => {
    const { bank } = bench.connect("sk_live_wrong", "live");
    const order = paymentOrder();
    const answers = [await bank.resolveAccount(order), await bank.send(order), await bank.query(order)];
    const hold = { reason: "keys_refused", message: "Invalid key" };
    expect(answers).toEqual([
      { found: "unavailable", hold },
      { outcome: "unknown", code: "banks_not_read", hold },
      { outcome: "unknown", code: "http_401", hold },
    ]);
    expect(JSON.stringify(answers)).not.toContain("sk_live");
  });

  test("to nobody's address is unknown", async () => {
    await bench.rail.resolveAccount(paymentOrder());
    await bench.twin.close();
    expect(await bench.rail.send(paymentOrder())).toMatchObject(unknown);
    expect(await bench.rail.query(paymentOrder())).toMatchObject(unknown);
  });
});
