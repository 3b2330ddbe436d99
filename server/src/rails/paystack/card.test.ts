/** Paystack's cards on the twin: what only this provider does. */
import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { openPaystackCardBench, type PaystackCardBench } from "../../../testing/providers/paystack-card-bench.ts";
import { changedReply } from "../../../testing/providers/twin-faults.ts";
import { kobo } from "../../money/kobo.ts";
import type { CardChargeOrder } from "../card.ts";

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

async function bench(): Promise<PaystackCardBench> {
  const open = await openPaystackCardBench();
  opened.push(open.twin.close);
  return open;
}

const amount = kobo(3_005_000n);
const orderWith = ({ environmentId }: PaystackCardBench, token: string): CardChargeOrder => ({
  environmentId,
  chargeId: randomUUID(),
  token,
  amount,
  narration: "Loan repayment",
});
const charging = "POST /transaction/charge_authorization";

/** Changes the record in the next reply of a route. */
const change = (fields: Readonly<Record<string, unknown>>) =>
  changedReply("changed", (answer) => {
    const body = answer.body as { readonly data: Readonly<Record<string, unknown>> };
    return { ...answer, body: { ...body, data: { ...body.data, ...fields } } };
  });

describe("linking", () => {
  test("takes NGN 50, keeps code and e-mail for charges, and gives the money back once", async () => {
    const { payOnPage, link, books } = await bench();
    const linkId = await payOnPage();
    const first = await link(linkId);
    expect(first).toMatchObject({ outcome: "linked", card: { brand: "visa", last4: "4081", expYear: 2030 } });
    const { authorization } = books.transactions.get(linkId) ?? {};
    if (first.outcome !== "linked") throw new Error("not linked");
    const token = { authorization_code: authorization?.code, email: "ada@example.com" };
    expect(JSON.parse(first.card.token)).toEqual(token);
    expect(first.card.fingerprint).toBe("SIG_yEXu7dLBeqG0kU7g95Ke");
    // Paystack calls what we gave back "reversed": the card is linked all the same.
    expect(await link(linkId)).toEqual(first);
    await Promise.all([link(linkId), link(linkId), link(linkId)]);
    expect(books.refunds).toMatchObject([{ amount: 5_000, note: `link-${linkId}` }]);
    expect(books.kept(linkId)).toBe(0);
  });

  test("is unknown while nobody has paid, and left when nobody can any more", async () => {
    const { rail, link, books, environmentId } = await bench();
    const [linkId, customerId] = [randomUUID(), randomUUID()];
    expect(await link(linkId)).toEqual({ outcome: "left" });
    const start = { environmentId, linkId, customerId, email: "ada@example.com", returnUrl: "https://jara.example/" };
    expect(await rail.startLink?.(start)).toMatchObject({ outcome: "started" });
    expect(await link(linkId)).toMatchObject({ outcome: "unknown", code: "abandoned" });
    // A used reference has no page to give: who has lost the address begins another try.
    expect(await rail.startLink?.(start)).toMatchObject({ outcome: "unknown" });
    const transaction = books.transactions.get(linkId);
    if (transaction !== undefined) transaction.createdAt = new Date(Date.now() - 25 * 60 * 60_000);
    expect(await link(linkId)).toEqual({ outcome: "left" });
    expect(books.refunds).toEqual([]);
  });

  test.each([
    ["a card that works once", { reusable: false }],
    ["a bank account", { channel: "bank" }],
    ["a network that is not taken", { cardType: "amex ", brand: "american express" }],
    ["a card without its last digits", { last4: "" }],
  ])("refuses %s and gives the money back", async (_, card) => {
    const { payOnPage, link, books } = await bench();
    const linkId = await payOnPage(card);
    expect(await link(linkId)).toMatchObject({
      outcome: "declined",
      code: "card_not_reusable",
      fingerprint: expect.stringMatching(/^SIG_/),
    });
    expect(books.kept(linkId)).toBe(0);
  });

  test.each([
    ["OKAFOR ADAEZE", { holder: "OKAFOR ADAEZE" }],
    [null, {}],
  ])("tells the holder whom the bank names (%s), and nobody whom we named", async (accountName, told) => {
    const { payOnPage, link } = await bench();
    const answer = await link(await payOnPage({ accountName }));
    if (answer.outcome !== "linked") throw new Error(`the card is ${answer.outcome}`);
    const { holder } = answer.card;
    expect(holder === undefined ? {} : { holder }).toEqual(told);
  });

  test("knows a card by either of its names, with a blank behind it", async () => {
    const { payOnPage, link } = await bench();
    const linkId = await payOnPage({ brand: "", cardType: "mastercard DEBIT " });
    expect(await link(linkId)).toMatchObject({ outcome: "linked", card: { brand: "mastercard" } });
  });

  test("is unknown as long as nobody knows about the refund, and then gives back once", async () => {
    const { payOnPage, link, twin, books } = await bench();
    const linkId = await payOnPage();
    twin.misbehave(["lost_reply"], "POST /refund");
    expect(await link(linkId)).toMatchObject({ outcome: "unknown" });
    expect(await link(linkId)).toMatchObject({ outcome: "linked" });
    expect([twin.count("POST /refund"), books.refunds.length]).toEqual([1, 1]);
    const other = await payOnPage();
    twin.misbehave(["bad_gateway_after"], "GET /refund");
    expect(await link(other)).toMatchObject({ outcome: "unknown" });
  });

  test("goes on with an alarm when the money cannot be given back", async () => {
    const { payOnPage, link, books } = await bench();
    books.refundWord = "failed";
    const answer = await link(await payOnPage());
    expect(answer).toMatchObject({ outcome: "linked", alarm: expect.stringContaining("could not be given back") });
  });
});

describe("charging", () => {
  test("uses the e-mail that the card was linked with", async () => {
    const open = await bench();
    const { token } = await open.linkCard();
    await open.rail.charge(orderWith(open, token));
    const { request } = open.twin.calls.find(({ route }) => route === charging) ?? {};
    expect(request?.body).toMatchObject({ email: "ada@example.com", amount: 3_005_000, currency: "NGN" });
    const other = JSON.stringify({ ...JSON.parse(token), email: "new@example.com" });
    expect(await open.rail.charge(orderWith(open, other))).toMatchObject({ outcome: "declined" });
  });

  test("takes what was asked for where a fee was passed on to the holder", async () => {
    const open = await bench();
    const { token } = await open.linkCard();
    open.books.passedOnFee = 1_028_300;
    const order = orderWith(open, token);
    expect(await open.rail.charge(order)).toMatchObject({ outcome: "success" });
    expect(await open.rail.query(order)).toMatchObject({ outcome: "success" });
  });

  test.each([
    ["amount", { amount: 1, requested_amount: 1 }],
    ["currency", { currency: "GHS" }],
    ["reference", { reference: "somebody-elses" }],
    ["mode", { domain: "test" }],
  ])("is unknown with an alarm when the %s is not ours", async (name, fields) => {
    const open = await bench();
    const { token } = await open.linkCard();
    open.twin.misbehave([change(fields)], charging);
    const answer = await open.rail.charge(orderWith(open, token));
    expect(answer).toMatchObject({ outcome: "unknown", alarm: expect.stringContaining(name) });
  });

  test("that is paused leads to the holder's page, and is declined when it was left for a day", async () => {
    const open = await bench();
    const { token } = await open.linkCard();
    open.books.fate = "paused";
    const order = orderWith(open, token);
    expect(await open.rail.charge(order)).toEqual({
      outcome: "needs_holder",
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/pay\//),
    });
    expect(await open.rail.query(order)).toMatchObject({ outcome: "unknown", code: "abandoned" });
    const transaction = open.books.transactions.get(order.chargeId);
    if (transaction !== undefined) transaction.createdAt = new Date(Date.now() - 25 * 60 * 60_000);
    expect(await open.rail.query(order)).toMatchObject({ outcome: "declined", code: "holder_absent" });
  });

  test.each([400, 404] as const)("Paystack has never heard of it, with status %i", async (status) => {
    const { rail, books, twin, environmentId } = await bench();
    books.unknownStatus = status;
    const question = { environmentId, chargeId: randomUUID(), amount };
    expect(await rail.query(question)).toEqual({ outcome: "no_record" });
    twin.misbehave(["not_found_page"]);
    expect(await rail.query(question)).toMatchObject({ outcome: "unknown" });
  });

  test("a card of another provider is not guessed at", async () => {
    const open = await bench();
    const answer = await open.rail.charge(orderWith(open, "card_of_somebody_else"));
    expect(answer).toMatchObject({ outcome: "unknown", alarm: expect.any(String) });
    expect(open.twin.count(charging)).toBe(0);
  });
});

describe("refunds", () => {
  async function paid(open: PaystackCardBench): Promise<CardChargeOrder> {
    const order = orderWith(open, (await open.linkCard()).token);
    expect(await open.rail.charge(order)).toMatchObject({ outcome: "success" });
    return order;
  }
  const refundOf = ({ environmentId, chargeId }: CardChargeOrder, part = 1_000_000n) => ({
    environmentId,
    chargeId,
    refundId: randomUUID(),
    amount: kobo(part),
  });

  test("ten orders at once under one id are one refund", async () => {
    const open = await bench();
    const order = refundOf(await paid(open));
    await Promise.all(Array.from({ length: 10 }, () => open.rail.refund(order)));
    expect(await open.givenBack(order.chargeId)).toEqual({ count: 1, sum: 1_000_000n });
  });

  test("what somebody gave back in the dashboard is told, and is not ours", async () => {
    const open = await bench();
    const charge = await paid(open);
    const transaction = open.books.transactions.get(charge.chargeId);
    open.books.refunds.push({
      id: 1,
      transactionId: transaction?.id ?? 0,
      amount: 3_005_000,
      note: null,
      createdAt: new Date(),
      status: "processed",
    });
    const answer = await open.rail.refund(refundOf(charge));
    expect(answer).toMatchObject({
      outcome: "declined",
      code: "refunded_elsewhere",
      alarm: expect.stringMatching(/dashboard/),
    });
  });

  test("one that needs attention tells the operator what to do", async () => {
    const open = await bench();
    open.books.refundWord = "needs-attention";
    const order = refundOf(await paid(open));
    const told = { outcome: "unknown", code: "needs-attention", alarm: expect.stringContaining("bank account") };
    expect(await open.rail.refund(order)).toMatchObject(told);
    expect(await open.rail.queryRefund(order)).toMatchObject(told);
  });

  test("an empty balance holds the connection and settles nothing", async () => {
    const open = await bench();
    const order = refundOf(await paid(open));
    open.twin.account.move(-open.twin.account.balance(), "Transfer", 0);
    expect(await open.rail.refund(order)).toMatchObject({ outcome: "unknown", hold: { reason: "float_empty" } });
    expect(await open.rail.queryRefund(order)).toEqual({ outcome: "no_record" });
  });
});

test("no code, e-mail or key is in anything that is told", async () => {
  const open = await bench();
  const { token } = await open.linkCard();
  const secrets = [JSON.parse(token).authorization_code, "ada@example.com", open.twin.account.secretKey];
  const words = `Authorization code ${secrets[0]} of ${secrets[1]} under ${secrets[2]} is invalid`;
  const saying = (status: number) =>
    changedReply("saying", () => ({ status, body: { status: false, message: words, code: words, type: words } }));
  const told: unknown[] = [];
  for (const status of [400, 401, 403, 404, 422, 500]) {
    open.twin.misbehave(Array.from({ length: 4 }, () => saying(status)));
    const order = orderWith(open, token);
    told.push(await open.rail.charge(order), await open.rail.query(order));
    told.push(await open.rail.refund({ ...order, refundId: randomUUID() }), await open.rail.unlink(order));
    open.twin.behave();
  }
  open.twin.misbehave([change({ status: "failed", gateway_response: words })], charging);
  told.push(await open.rail.charge(orderWith(open, token)));
  for (const secret of secrets) expect(JSON.stringify(told)).not.toContain(secret);
});
