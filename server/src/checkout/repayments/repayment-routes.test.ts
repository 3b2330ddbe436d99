import { describe, expect, test } from "vitest";
import { createCheckoutApp, unknownId } from "../../../testing/checkout/checkout.ts";
import { naira } from "../../../testing/lending/lending.ts";
import { verifyLedger } from "../../ledger/verify.ts";
import { reverseRepayment } from "../../lending/collect/reverse-repayment.ts";
import { verifyLending } from "../../lending/verify-lending.ts";
import { findDefaultCard } from "../cards/card-store.ts";
import { insertCharge } from "../cards/charge-store.ts";
import { loanMoved } from "../follow-loans.ts";
import { announceCheckoutLoan } from "../loans/announce-checkout-loan.ts";
import { requireCheckoutLoan } from "../loans/read-checkout-loan.ts";

const app = await createCheckoutApp();
const { call, lend, read, heard, within, person, request, otherMerchant } = app;
await call("POST", "/sandbox/wallets/fund", { body: { amount: 1_000_000 } });

let made = 0;
const fresh = () => {
  made += 1;
  return `ref-${made}`;
};
const wallet = async () => (await call("GET", "/wallets/balance")).json().data.available;
const intact = async () => {
  expect(await within(verifyLedger)).toEqual([]);
  expect(await within(verifyLending)).toEqual([]);
};

type Body = Readonly<Record<string, unknown>>;
const repay = (loanId: string, body: Body, options: { key?: string; headers?: Record<string, string> } = {}) =>
  call("POST", `/loans/bnpl/loans/${loanId}/repayments`, {
    body: { amount: 21_500, reference: fresh(), channel: "wallet", ...body },
    ...options,
  });
const refund = (loanId: string, body: Body = {}, options: { key?: string; headers?: Record<string, string> } = {}) =>
  call("POST", `/loans/bnpl/loans/${loanId}/refund`, {
    body: { amount: 12_000, reason: "One item came back", reference: fresh(), ...body },
    ...options,
  });

describe("a repayment", () => {
  test("from the wallet pays the earliest instalment, and the last one completes the loan", async () => {
    const { loanId } = await lend();
    const before = await wallet();
    const reply = await repay(loanId, {});
    expect(reply.statusCode, reply.body).toBe(201);
    expect(reply.json().data).toMatchObject({
      loan_id: loanId,
      channel: "wallet",
      amount: 21_500,
      status: "successful",
      refunded: 0,
      allocation: { fees: 0, interest: 1500, principal: 20_000, credit: 0, suspense: 0 },
    });
    expect(await wallet()).toBe(before - 21_500);
    expect(await read(loanId)).toMatchObject({ status: "active", balance: 43_000 });
    await repay(loanId, { amount: 43_000, channel: "cash" });
    expect(await read(loanId)).toMatchObject({ status: "completed", balance: 0 });
    expect((await heard(loanId)).slice(3)).toEqual([
      "bnpl.loan.repayment.successful",
      "bnpl.loan.repayment.successful",
      "bnpl.loan.completed",
    ]);
    await intact();
  });

  test("is recorded once for a reference", async () => {
    const { loanId } = await lend();
    const body = { reference: fresh() };
    const first = await repay(loanId, body);
    const again = await repay(loanId, body);
    expect([first.statusCode, again.statusCode, again.headers["idempotent-replayed"]]).toEqual([201, 200, "true"]);
    expect(again.json().data).toEqual(first.json().data);
    const other = await repay(loanId, { ...body, amount: 1 });
    expect([other.statusCode, other.json().code, other.json().data]).toEqual([
      409,
      "reference_conflict",
      { fields: ["amount"] },
    ]);
    expect(await read(loanId)).toMatchObject({ balance: 43_000 });
  });

  test("by card charges the default card", async () => {
    const { loanId } = await lend("linked");
    const body = { channel: "card", reference: fresh() };
    const headers = { "idempotency-key": `card-${loanId}` };
    const reply = await repay(loanId, body, { headers });
    expect(reply.statusCode, reply.body).toBe(201);
    expect(reply.json().data).toMatchObject({ channel: "card", reference: body.reference, status: "successful" });
    expect((await repay(loanId, body, { headers })).body).toBe(reply.body);
    const again = await repay(loanId, body);
    expect([again.statusCode, again.json().data.id]).toEqual([200, reply.json().data.id]);
    expect(await read(loanId)).toMatchObject({ balance: 43_000 });
    await intact();
  });

  test("by a card that declines is refused, and the merchant hears of it", async () => {
    const { loanId } = await lend("declines_later");
    const reply = await repay(loanId, { channel: "card" });
    expect([reply.statusCode, reply.json().code]).toEqual([422, "card_declined"]);
    expect(reply.json().data).toMatchObject({ reason: { code: "51" } });
    expect(await read(loanId)).toMatchObject({ balance: 64_500 });
    expect((await heard(loanId)).at(-1)).toBe("bnpl.loan.repayment.failed");
  });

  test("whose charge the card network owes an answer about is 202, however often it is asked for", async () => {
    const { customerId, loanId } = await lend("linked");
    const reference = fresh();
    const charge = await within(async (tx) => {
      const cardId = (await findDefaultCard(tx, customerId))?.id ?? null;
      const wanted = { loanId, customerId, cardId, amount: naira("21,500.00"), reference, dueDate: null, attempt: 1 };
      return insertCharge(tx, { ...wanted, connectionId: null, kind: "repayment" });
    });
    for (let time = 0; time < 2; time += 1) {
      const reply = await repay(loanId, { channel: "card", reference });
      expect(reply.statusCode, reply.body).toBe(202);
      expect(reply.json().data).toMatchObject({ id: charge.id, reference, status: "processing", amount: 21_500 });
    }
    const other = await repay(loanId, { channel: "card" });
    expect([other.statusCode, other.json().code]).toEqual([409, "charge_in_progress"]);
    expect(await read(loanId)).toMatchObject({ balance: 64_500 });
  });

  test("that is taken back opens the loan again, and the merchant hears why", async () => {
    const { loanId } = await lend();
    const { id: repaymentId } = (await repay(loanId, { amount: 64_500, channel: "cash" })).json().data;
    expect(await read(loanId)).toMatchObject({ status: "completed" });
    await within(async (tx) => {
      const { accountId } = await requireCheckoutLoan(tx, loanId);
      const announce = announceCheckoutLoan({ loanMoved });
      await reverseRepayment(tx, { accountId, repaymentId, reason: "Counted wrong", announce });
    });
    expect(await read(loanId)).toMatchObject({ status: "active", balance: 64_500 });
    expect((await heard(loanId)).at(-1)).toBe("bnpl.loan.repayment.failed");
    const told = await within((tx) =>
      tx
        .selectFrom("events")
        .select("data")
        .where("resource_id", "=", loanId)
        .orderBy("resource_version", "desc")
        .execute(),
    );
    expect(told[0]?.data).toMatchObject({ status: "reversed", reason: { code: "reversed", message: "Counted wrong" } });
  });

  test("is refused before the money is out, and when the wallet lacks it", async () => {
    const { id } = (await request(await person())).json().data;
    const early = await repay(id, { channel: "cash" });
    expect([early.statusCode, early.json().code]).toEqual([409, "invalid_state"]);
    const { loanId } = await lend();
    const poor = await repay(loanId, { amount: 900_000_000 });
    expect([poor.statusCode, poor.json().code]).toEqual([422, "insufficient_funds"]);
  });

  test("of another merchant's loan is 404, and reading its repayments too", async () => {
    const { loanId } = await lend();
    const key = otherMerchant.secretKey;
    const list = (id: string, options = {}) => call("GET", `/loans/bnpl/loans/${id}/repayments`, options);
    const replies = [
      await repay(loanId, {}, { key }),
      await repay(unknownId, {}),
      await repay(unknownId, { channel: "card" }),
      await list(loanId, { key }),
      await list(unknownId),
    ];
    for (const reply of replies) {
      expect([reply.statusCode, reply.json().code]).toEqual([404, "checkout_loan_not_found"]);
    }
  });

  test.each([{ amount: 0 }, { amount: "5" }, { reference: "" }, { channel: "shells" }])(
    "%j is refused",
    async (bad) => {
      const { loanId } = await lend();
      const reply = await repay(loanId, bad);
      expect([reply.statusCode, reply.json().code]).toEqual([422, "validation_failed"]);
    },
  );

  test("is listed, newest first", async () => {
    const { loanId } = await lend();
    const references = [fresh(), fresh(), fresh()];
    for (const reference of references) await repay(loanId, { amount: 1_000, reference });
    const reply = await call("GET", `/loans/bnpl/loans/${loanId}/repayments?limit=2`);
    const listed = reply.json().data.map((each: { reference: string }) => each.reference);
    expect(listed).toEqual([references[2], references[1]]);
    expect(reply.json().meta).toMatchObject({ next_page: 2, per_page: 2 });
  });
});

describe("a refund", () => {
  test("is paid from the wallet and shrinks the plan", async () => {
    const { loanId } = await lend();
    const before = await wallet();
    const reply = await refund(loanId);
    expect(reply.statusCode, reply.body).toBe(201);
    expect(reply.json()).toMatchObject({ title: "Refund", data: { loan_id: loanId, amount: 12_000 } });
    expect(await wallet()).toBe(before - 12_000);
    const loan = await read(loanId);
    // A fifth of the principal is gone, and a fifth of the interest with it.
    expect(loan).toMatchObject({ status: "active", total_interest: 3600, total_repayment: 51_600, balance: 51_600 });
    expect(reply.json().data.loan).toEqual(loan);
    expect((await heard(loanId)).at(-1)).toBe("bnpl.loan.refunded");
    await intact();
  });

  test("of everything completes the loan, and more than the loan is refused with the rest", async () => {
    const { loanId } = await lend();
    const tooMuch = await refund(loanId, { amount: 60_000.01 });
    expect([tooMuch.statusCode, tooMuch.json().code, tooMuch.json().data]).toEqual([
      422,
      "refund_exceeds_loan",
      { refundable: 60_000 },
    ]);
    expect((await refund(loanId, { amount: 60_000 })).json().data.loan).toMatchObject({
      status: "completed",
      balance: 0,
    });
    expect((await heard(loanId)).slice(-2)).toEqual(["bnpl.loan.refunded", "bnpl.loan.completed"]);
    const more = await refund(loanId, { amount: 1 });
    expect([more.statusCode, more.json().code, more.json().data]).toEqual([
      422,
      "refund_exceeds_loan",
      { refundable: 0 },
    ]);
    await intact();
  });

  test("is made once for a reference", async () => {
    const { loanId } = await lend();
    const body = { reference: fresh() };
    const before = await wallet();
    const [first, again] = [await refund(loanId, body), await refund(loanId, body)];
    expect([first.statusCode, again.statusCode, again.headers["idempotent-replayed"]]).toEqual([201, 200, "true"]);
    expect(again.json().data).toEqual(first.json().data);
    expect(await wallet()).toBe(before - 12_000);
    const other = await refund(loanId, { ...body, reason: "Another" });
    expect([other.statusCode, other.json().code, other.json().data]).toEqual([
      409,
      "reference_conflict",
      { fields: ["reason"] },
    ]);
  });

  test("is refused without money, before the money is out, and of another merchant's loan", async () => {
    const { id } = (await request(await person())).json().data;
    const early = await refund(id);
    expect([early.statusCode, early.json().code]).toEqual([409, "invalid_state"]);
    const { loanId } = await lend();
    for (const reply of [await refund(loanId, {}, { key: otherMerchant.secretKey }), await refund(unknownId)]) {
      expect([reply.statusCode, reply.json().code]).toEqual([404, "checkout_loan_not_found"]);
    }
    const rest = await wallet();
    await call("POST", "/transfers", {
      body: {
        accountNumber: "0690000032",
        bankCode: "044",
        currency: "NGN",
        amount: rest - 200,
        reference: fresh(),
      },
    });
    const poor = await refund(loanId);
    expect([poor.statusCode, poor.json().code]).toEqual([422, "insufficient_funds"]);
    await call("POST", "/sandbox/wallets/fund", { body: { amount: 1_000_000 } });
  });

  test.each([{ amount: -1 }, { reason: " " }, { reference: "x".repeat(101) }])("%j is refused", async (bad) => {
    const { loanId } = await lend();
    const reply = await refund(loanId, bad);
    expect([reply.statusCode, reply.json().code]).toEqual([422, "validation_failed"]);
  });
});
