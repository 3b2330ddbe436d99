import { expect, test } from "vitest";
import { createCheckoutApp, unknownId } from "../../../testing/checkout/checkout.ts";
import { naira } from "../../../testing/lending/lending.ts";
import { silentLog } from "../../../testing/work.ts";
import { verifyLedger } from "../../ledger/verify.ts";
import { refundReferences } from "../../lending/position/repayment.ts";
import { verifyLending } from "../../lending/verify-lending.ts";
import { claimReferences } from "../../platform/records/reference-claims.ts";
import { sweep } from "../../platform/work/sweeper.ts";
import { booksOf } from "../../sandbox/in-books.ts";
import { insertCardRefund } from "../cards/card-refund-store.ts";
import { cardSweepSources } from "../cards/cards.job.ts";
import { listPaidCharges } from "../cards/charge-store.ts";

const app = await createCheckoutApp();
const { call, lend, read, within, otherMerchant } = app;
await call("POST", "/sandbox/wallets/fund", { body: { amount: 1_000_000 } });

let made = 0;
const fresh = () => {
  made += 1;
  return `credit-${made}`;
};
type Options = { key?: string; headers?: Record<string, string> };
type Body = Readonly<Record<string, unknown>>;
const give = (loanId: string, body: Body = {}, options: Options = {}) =>
  call("POST", `/loans/bnpl/loans/${loanId}/credit/refund`, {
    body: { amount: 10_000, reference: fresh(), channel: "card", ...body },
    ...options,
  });
const wallet = async () => (await call("GET", "/wallets/balance")).json().data.available;

/** Paid through the channel, but for some cash, and then refunded by the merchant: 46,000 and 3,450 of interest stay. */
async function credited(channel: string, cash = 0): Promise<string> {
  const { loanId } = await lend();
  const pay = (body: Body) =>
    call("POST", `/loans/bnpl/loans/${loanId}/repayments`, { body: { reference: fresh(), ...body } });
  if (cash > 0) await pay({ amount: cash, channel: "cash" });
  await pay({ amount: 64_450 - cash, channel });
  const refund = { amount: 14_000, reference: fresh(), reason: "Returned" };
  await call("POST", `/loans/bnpl/loans/${loanId}/refund`, { body: refund });
  expect(await read(loanId)).toMatchObject({ status: "completed", balance: 0, credit: 15_000 });
  return loanId;
}

async function intact(): Promise<void> {
  expect(await within(verifyLedger)).toEqual([]);
  expect(await within(verifyLending)).toEqual([]);
}

test.each(["card", "cash", "bank_transfer", "wallet"])(
  "credit goes back by %s once for a reference",
  async (channel) => {
    const loanId = await credited(channel);
    const before = await wallet();
    const body = { channel, reference: fresh() };
    const headers = { "idempotency-key": `give-${loanId}` };
    const first = await give(loanId, body, { headers });
    expect(first.statusCode, first.body).toBe(201);
    expect(first.json()).toMatchObject({
      title: "Refund",
      message: "Credit refunded",
      data: { loan_id: loanId, ...body, amount: 10_000, status: "successful" },
    });
    expect((await give(loanId, body, { headers })).body).toBe(first.body);
    const again = await give(loanId, body);
    expect([again.statusCode, again.headers["idempotent-replayed"]]).toEqual([200, "true"]);
    expect(again.json().data).toEqual(first.json().data);
    expect(await read(loanId)).toMatchObject({ credit: 5_000 });
    expect(await wallet()).toBe(channel === "card" ? before : before + 10_000);
    const told = await within((tx) =>
      tx
        .selectFrom("events")
        .select("data")
        .where("resource_id", "=", loanId)
        .where("event", "=", "bnpl.loan.credit.refunded")
        .execute(),
    );
    expect(told.map(({ data }) => data)).toEqual([first.json().data]);
    await intact();
  },
);

test("a card that paid too much gets it back, and another channel does not", async () => {
  const loanId = await credited("card");
  for (const channel of ["cash", "bank_transfer", "wallet"]) {
    const reply = await give(loanId, { channel });
    expect([reply.statusCode, reply.json().code, reply.json().data]).toEqual([
      422,
      "refund_channel_mismatch",
      { refundable: 0 },
    ]);
  }
  const paidCash = await give(await credited("cash"));
  expect([paidCash.statusCode, paidCash.json().code]).toEqual([422, "refund_channel_mismatch"]);
});

test("more than the credit is refused with what there is", async () => {
  for (const channel of ["card", "cash"]) {
    const reply = await give(await credited(channel), { channel, amount: 15_000.01 });
    expect([reply.statusCode, reply.json().code, reply.json().data]).toEqual([
      422,
      "credit_too_small",
      { credit: 15_000 },
    ]);
  }
});

test("a refund that the card network owes an answer about is 202 and holds the credit for itself", async () => {
  const loanId = await credited("card", 1_000);
  const [id, reference, body] = [unknownId, fresh(), { amount: 14_500 }];
  await within(async (tx) => {
    const [charge] = await listPaidCharges(tx, loanId);
    await claimReferences(tx, refundReferences, [{ references: [reference], recordId: id }]);
    await insertCardRefund(tx, { id, loanId, chargeId: charge?.id ?? "", reference, amount: naira("14,500.00") });
  });
  const twin = await give(loanId, { ...body, reference });
  expect([twin.statusCode, twin.json().message]).toEqual([202, "The card network has not answered yet"]);
  expect(twin.json().data).toMatchObject({ id, reference, status: "processing", amount: 14_500, channel: "card" });
  const taken = await give(loanId, { ...body, reference, channel: "cash" });
  expect([taken.statusCode, taken.json().data]).toEqual([409, { fields: ["channel"] }]);
  for (const channel of ["card", "cash"]) {
    const reply = await give(loanId, { channel, amount: 500.01 });
    expect([reply.statusCode, reply.json().data]).toEqual([422, { credit: 500 }]);
  }
  expect((await give(loanId, { channel: "cash", amount: 500 })).statusCode).toBe(201);
  expect(await read(loanId)).toMatchObject({ credit: 14_500 });
  expect(await sweep(app.db, cardSweepSources, silentLog)).toBe(1);
  // What the network has no record of is sent after the settle window: an order may still be on its way.
  await app.advance({ seconds: 60 });
  const later = await give(loanId, { ...body, reference });
  expect([later.statusCode, later.json().data.id, later.json().data.status]).toEqual([200, id, "successful"]);
  expect(await read(loanId)).toMatchObject({ credit: 0 });
  await intact();
});

test("the card network's refusal is told with its reason, and the credit stays", async () => {
  const loanId = await credited("card");
  await booksOf(app.pool, app.merchant.environment.id).query(
    "update simulated_card.charges set status = 'declined', decline_code = '05' where narration like $1",
    [`%${loanId}%`],
  );
  const body = { reference: fresh() };
  for (let time = 0; time < 2; time += 1) {
    const reply = await give(loanId, body);
    expect([reply.statusCode, reply.json().code]).toEqual([422, "card_refund_declined"]);
    expect(reply.json().data).toMatchObject({ reason: { code: "charge_not_found" } });
  }
  expect(await read(loanId)).toMatchObject({ credit: 15_000 });
  const cash = await give(loanId, { ...body, channel: "cash" });
  expect([cash.statusCode, cash.json().data]).toEqual([409, { fields: ["channel"] }]);
});

test("a reference with other content is refused with the fields that differ", async () => {
  const [byCard, byCash] = [await credited("card"), await credited("cash")];
  const [one, other] = [fresh(), fresh()];
  await give(byCard, { reference: one });
  await give(byCash, { reference: other, channel: "cash" });
  const conflicts = [
    [await give(byCard, { reference: one, amount: 1 }), ["amount"]],
    [await give(byCash, { reference: one }), ["loan_id"]],
    [await give(byCard, { reference: one, channel: "cash" }), ["channel"]],
    [await give(byCash, { reference: other, channel: "card" }), ["channel"]],
    [await give(byCash, { reference: other, channel: "cash", amount: 1 }), ["amount"]],
  ] as const;
  for (const [reply, fields] of conflicts) {
    expect([reply.statusCode, reply.json().code, reply.json().data]).toEqual([409, "reference_conflict", { fields }]);
  }
});

test("another merchant's loan and an unknown one are 404", async () => {
  const loanId = await credited("card");
  for (const channel of ["card", "cash"]) {
    const replies = [
      await give(loanId, { channel }, { key: otherMerchant.secretKey }),
      await give(unknownId, { channel }),
    ];
    for (const reply of replies) {
      expect([reply.statusCode, reply.json().code]).toEqual([404, "checkout_loan_not_found"]);
    }
  }
  expect(await read(loanId)).toMatchObject({ credit: 15_000 });
});

test("a loan without credit has none to give", async () => {
  const { loanId } = await lend();
  const reply = await give(loanId);
  expect([reply.statusCode, reply.json().code, reply.json().data]).toEqual([422, "credit_too_small", { credit: 0 }]);
});

test.each([{ amount: 0 }, { amount: "5" }, { amount: 0.001 }, { reference: "" }, { channel: "shells" }])(
  "%j is refused",
  async (bad) => {
    const { loanId } = await lend();
    const reply = await give(loanId, bad);
    expect([reply.statusCode, reply.json().code]).toEqual([422, "validation_failed"]);
  },
);
