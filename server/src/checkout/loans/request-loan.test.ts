import { describe, expect, test } from "vitest";
import { createCheckoutApp, freshBvn, goodLoan, unknownId } from "../../../testing/checkout/checkout.ts";
import { naira } from "../../../testing/lending/lending.ts";
import { verifyLedger } from "../../ledger/verify.ts";
import type { Tx } from "../../platform/database/database.ts";
import { requireCustomer } from "../customers/read-customer.ts";
import type { CheckoutLoan, CheckoutLoanStatus } from "./checkout-loan.ts";
import { lockCheckoutLoan } from "./read-checkout-loan.ts";
import { changeTenor, requestLoan } from "./request-loan.ts";

const app = await createCheckoutApp();
const { call, person, request, read, heard, within, otherMerchant } = app;

const refused = async (customerId: string, changes: Readonly<Record<string, unknown>>) => {
  const reply = await request(customerId, changes);
  return [reply.statusCode, reply.json().code, reply.json().data];
};

describe("requesting a loan", () => {
  test("answers 201 with the plan, what is required and the holder of the account", async () => {
    const customerId = await person();
    const reply = await request(customerId);
    expect(reply.statusCode, reply.body).toBe(201);
    const { data } = reply.json();
    expect(reply.json()).toMatchObject({ status: "success", title: "Checkout loan", message: "Loan requested" });
    expect(data).toMatchObject({
      customer_id: customerId,
      amount: 60_000,
      tenor: 3,
      tenor_type: "monthly",
      interest_rate: 2.5,
      total_interest: 4500,
      total_repayment: 64_500,
      installment_amount: 21_500,
      balance: 64_500,
      bank_account_no: "0123456789",
      bank_code: "058",
      bank_name: "Guaranty Trust Bank",
      status: "pending_consent",
      consent_status: "pending_consent",
      environment: "SANDBOX",
      requirements: [
        { type: "consent", status: "pending" },
        { type: "card_link", status: "pending" },
      ],
      next_due_date: "2026-12-02T22:59:59.999Z",
    });
    expect(data.account_name).toMatch(/\S/);
    expect(data.schedules.map((item: { due_date: string }) => item.due_date.slice(0, 10))).toEqual([
      "2026-12-02",
      "2027-01-02",
      "2027-02-02",
    ]);
    expect(data.schedules[0]).toMatchObject({
      principal: 20_000,
      interest: 1500,
      amount_due: 21_500,
      status: "pending",
    });
    expect(await read(data.id)).toEqual(data);
    expect(await heard(data.id)).toEqual(["bnpl.loan.created"]);
  });

  test("takes the amount as a string and the NIP code of a bank", async () => {
    const { data } = (await request(await person(), { amount: "60000.50", bank_code: "000013" })).json();
    expect(data).toMatchObject({ amount: 60_000.5, bank_code: "058" });
  });

  test("knows of a card that is linked already", async () => {
    const customerId = await person();
    await app.link(customerId, "linked");
    const { data } = (await request(customerId)).json();
    expect(data.requirements[1]).toEqual({ type: "card_link", status: "met" });
    expect(data.status).toBe("pending_consent");
  });

  test("is replayed under an Idempotency-Key, even when the bank is away by then", async () => {
    const customerId = await person();
    const headers = { "idempotency-key": `loan-${customerId}` };
    const first = await request(customerId, {}, headers);
    await call("PUT", "/sandbox/banks/058/health", { body: { status: "down" } });
    const again = await request(customerId, {}, headers);
    await call("PUT", "/sandbox/banks/058/health", { body: { status: "up" } });
    expect([again.statusCode, again.body]).toEqual([201, first.body]);
    const other = await request(customerId, { tenor: 6 }, headers);
    expect([other.statusCode, other.json().code]).toEqual([409, "idempotency_key_conflict"]);
    expect(await app.eligibility(customerId)).toMatchObject({ max_amount: 140_000 });
  });

  test("outside the band is refused with the band", async () => {
    const customerId = await person();
    const band = { min_amount: 5000, max_amount: 200_000, currency: "NGN" };
    expect(await refused(customerId, { amount: 4999.99 })).toEqual([422, "amount_out_of_band", band]);
    expect(await refused(customerId, { amount: 200_000.01 })).toEqual([422, "amount_out_of_band", band]);
    expect((await request(customerId, { amount: 5000 })).statusCode).toBe(201);
    expect((await request(customerId, { amount: 195_000 })).statusCode).toBe(201);
  });

  test("for a tenor that is not offered is refused with those that are", async () => {
    const customerId = await person();
    for (const tenor of [2, 13, 120]) {
      expect(await refused(customerId, { tenor })).toEqual([422, "tenor_not_supported", { tenors: [1, 3, 6, 9, 12] }]);
    }
  });

  test("by who is not eligible is refused with the reasons", async () => {
    const reply = await refused(await person({ bvn: freshBvn("0000") }), {});
    expect(reply).toEqual([422, "not_eligible", { reasons: [{ code: "kyc_failed", message: expect.any(String) }] }]);
  });

  test("to an account that the bank does not know, or at a bank that is away or unknown, is refused", async () => {
    const id = await person();
    expect(await refused(id, { bank_account_no: "0000000000" })).toEqual([404, "account_not_found", null]);
    expect(await refused(id, { bank_code: "999" })).toEqual([503, "bank_unavailable", null]);
    expect(await refused(id, { bank_code: "000" })).toEqual([422, "unknown_bank", null]);
    expect(await app.eligibility(id)).toMatchObject({ max_amount: 200_000 });
  });

  test("for an unknown customer, or another merchant's, is the same 404", async () => {
    const id = await person();
    const key = otherMerchant.secretKey;
    const theirs = await call("POST", `/loans/bnpl/customers/${id}/loans`, { body: goodLoan, key });
    for (const reply of [theirs, await request(unknownId), await request("nobody")]) {
      expect([reply.statusCode, reply.json().code]).toEqual([404, "checkout_customer_not_found"]);
    }
  });

  const bad: [string, Record<string, unknown>, string][] = [
    ["no amount", { amount: undefined }, "amount"],
    ["nothing", { amount: 0 }, "amount"],
    ["less than nothing", { amount: -5000 }, "amount"],
    ["three decimals", { amount: 5000.001 }, "amount"],
    ["words for an amount", { amount: "a lot" }, "amount"],
    ["half a month", { tenor: 1.5 }, "tenor"],
    ["a tenor as a string", { tenor: "3" }, "tenor"],
    ["an account of nine digits", { bank_account_no: "123456789" }, "bank_account_no"],
    ["a bank as a number", { bank_code: 58 }, "bank_code"],
  ];
  test.each(bad)("refuses %s", async (_, changes, field) => {
    const reply = await request(await person(), changes);
    expect([reply.statusCode, reply.json().code]).toEqual([422, "validation_failed"]);
    expect(JSON.stringify(reply.json().errors)).toContain(field);
  });
});

describe("another tenor", () => {
  const choose = (loanId: string, tenor: number) =>
    within(async (tx) => changeTenor(tx, app.dependencies.sealer, await lockCheckoutLoan(tx, loanId), tenor));

  test("is taken before consent, changes the plan, and the same again changes nothing", async () => {
    const customerId = await person();
    const { id } = (await request(customerId)).json().data;
    const changed = await choose(id, 6);
    expect(changed.tenor).toBe(6);
    expect(await read(id)).toMatchObject({ tenor: 6, total_interest: 9000, schedules: { length: 6 } });
    expect((await choose(id, 6)).version).toBe(changed.version);
    await expect(choose(id, 5)).rejects.toMatchObject({ code: "tenor_not_supported" });
  });

  test("is refused once consent is given", async () => {
    const customerId = await person();
    const { id } = (await request(customerId)).json().data;
    await app.consent(id);
    await expect(choose(id, 6)).rejects.toMatchObject({ code: "invalid_state" });
  });
});

test("who follows loans is told of a new one, in its transaction", async () => {
  const customerId = await person();
  const account = { bankCode: "058", bankAccountNo: "0123456789", bankName: "GTBank", accountName: "Mama Put" };
  const terms = { amount: naira("60,000.00"), tenor: 1, account };
  const refuse = async (_tx: Tx, loan: CheckoutLoan, from: CheckoutLoanStatus | null) => {
    throw new Error(`${loan.status} from ${from}`);
  };
  const asked = within(async (tx) => {
    const customer = await requireCustomer(tx, customerId, { lock: true });
    return requestLoan(tx, { loanMoved: refuse, sealer: app.dependencies.sealer }, { customer, ...terms });
  });
  await expect(asked).rejects.toThrow("pending_consent from null");
  expect(await app.eligibility(customerId)).toMatchObject({ max_amount: 200_000 });
});

describe("reading loans", () => {
  test("is 404 for an unknown loan, another merchant's and what is not an id", async () => {
    const { id } = (await request(await person())).json().data;
    const theirs = await call("GET", `/loans/bnpl/loans/${id}`, { key: otherMerchant.secretKey });
    const unknown = await call("GET", `/loans/bnpl/loans/${unknownId}`);
    for (const reply of [theirs, unknown, await call("GET", "/loans/bnpl/loans/none")]) {
      expect([reply.statusCode, reply.json().code]).toEqual([404, "checkout_loan_not_found"]);
    }
  });

  test("shows the active ones of a customer, and an empty list before", async () => {
    const customerId = await person();
    const active = () => call("GET", `/loans/bnpl/customers/${customerId}/loans/active`);
    const { id } = (await request(customerId)).json().data;
    expect((await active()).json().data).toEqual([]);
    await app.link(customerId, "linked");
    await app.consent(id);
    expect((await active()).json().data).toEqual([]);
    await app.advance({ seconds: 10 });
    expect((await active()).json().data).toEqual([await read(id)]);
    const key = otherMerchant.secretKey;
    const theirs = await call("GET", `/loans/bnpl/customers/${customerId}/loans/active`, { key });
    expect([theirs.statusCode, theirs.json().code]).toEqual([404, "checkout_customer_not_found"]);
  });

  test("shows none of them among the loan requests", async () => {
    expect((await call("GET", "/loans")).json().data).toEqual([]);
    expect(await within(verifyLedger)).toEqual([]);
  });
});
