import { describe, expect, test } from "vitest";
import { createCheckoutApp, freshBvn, unknownId } from "../../../testing/checkout/checkout.ts";
import { kobo } from "../../money/kobo.ts";
import { findPolicy, openCheckout, publishPolicy } from "../credit/policies.ts";
import { nothingRepaid, startingPolicy } from "../credit/policy.ts";

const app = await createCheckoutApp();
const { call, person, request, eligibility, lend, within } = app;

const codesOf = async (customerId: string) =>
  ((await eligibility(customerId))["reasons"] as { code: string }[]).map(({ code }) => code);

describe("eligibility", () => {
  test("of a new customer names the band, the tenors and what they cost", async () => {
    const id = await person();
    expect(await eligibility(id)).toEqual({
      customer_id: id,
      eligible: true,
      reasons: [],
      currency: "NGN",
      min_amount: 5000,
      max_amount: 200_000,
      tenors: [1, 3, 6, 9, 12].map((tenor) => ({ tenor, tenor_type: "monthly", interest_rate: 2.5 })),
      policy_version: 3,
      expires_at: "2026-11-02T08:30:00.000Z",
    });
  });

  test("speaks the envelope of loans", async () => {
    const reply = await call("GET", `/loans/bnpl/customers/${await person()}/eligibility`);
    expect(reply.json()).toMatchObject({ status: "success", title: "Eligibility", message: "Eligibility checked" });
  });

  test("says why not, with what can be done", async () => {
    const id = await person({ bvn: freshBvn("0000"), date_of_birth: "2010-01-01" });
    const answer = await eligibility(id);
    expect(answer).toMatchObject({ eligible: false, max_amount: 0 });
    expect(answer["reasons"]).toEqual([
      { code: "kyc_failed", message: expect.stringContaining("Onboard again") },
      { code: "underage", message: expect.stringContaining("18") },
    ]);
  });

  test("counts an age in Lagos, to the day", async () => {
    expect(await codesOf(await person({ date_of_birth: "2008-11-02" }))).toEqual([]);
    expect(await codesOf(await person({ date_of_birth: "2008-11-03" }))).toEqual(["underage"]);
  });

  test("counts what is asked for, and gives it free when it is cancelled", async () => {
    const id = await person();
    const { data } = (await request(id, { amount: 120_000 })).json();
    expect(await eligibility(id)).toMatchObject({ max_amount: 80_000 });
    await request(id, { amount: 5_000 });
    expect(await codesOf(id)).toEqual(["too_many_open_loans"]);
    await call("POST", `/loans/bnpl/loans/${data.id}/cancel`);
    expect(await eligibility(id)).toMatchObject({ eligible: true, max_amount: 195_000 });
  });

  test("counts only the principal that is still owed, whoever has paid", async () => {
    await call("POST", "/sandbox/wallets/fund", { body: { amount: 64_500 } });
    const { customerId, loanId } = await lend("declines_later");
    expect(await eligibility(customerId)).toMatchObject({ max_amount: 140_000 });
    const pay = (amount: number, reference: string) =>
      call("POST", `/loans/bnpl/loans/${loanId}/repayments`, { body: { amount, reference, channel: "bank_transfer" } });
    expect((await pay(21_500, `part-${loanId}`)).statusCode).toBe(201);
    expect(await eligibility(customerId)).toMatchObject({ max_amount: 160_000 });
    await app.advance({ days: 28 });
    expect((await pay(43_000, `rest-${loanId}`)).statusCode).toBe(201);
    expect(await eligibility(customerId)).toMatchObject({ eligible: true, max_amount: 200_000 });
  });

  test("does not rise with a loan that the merchant has refunded, whole or for the most part", async () => {
    await call("POST", "/sandbox/wallets/fund", { body: { amount: 500_000 } });
    const refund = async (loanId: string, amount: number) => {
      const body = { amount, reason: "Returned", reference: `back-${loanId}-${amount}` };
      expect((await call("POST", `/loans/bnpl/loans/${loanId}/refund`, { body })).statusCode).toBe(201);
    };
    const free = await lend();
    await refund(free.loanId, 20_000);
    await refund(free.loanId, 40_000);
    expect(await app.status(free.loanId)).toBe("completed");
    expect(await eligibility(free.customerId)).toMatchObject({ eligible: true, max_amount: 200_000 });
    const partly = await lend();
    await app.advance({ days: 28 });
    await refund(partly.loanId, 40_000);
    const rest = { amount: 21_500, reference: `rest-${partly.loanId}`, channel: "bank_transfer" };
    await call("POST", `/loans/bnpl/loans/${partly.loanId}/repayments`, { body: rest });
    expect(await app.status(partly.loanId)).toBe("completed");
    expect(await eligibility(partly.customerId)).toMatchObject({ eligible: true, max_amount: 200_000 });
  });

  test("ends with an overdue and a written-off loan", async () => {
    const { customerId, loanId } = await lend("declines_later");
    await app.advance({ days: 40 });
    expect(await codesOf(customerId)).toEqual(["overdue_loan"]);
    const given = await app.operate("POST", `/operator/checkout-loans/${loanId}/write-off`, { reason: "Gone" });
    expect(given.statusCode, given.body).toBe(200);
    expect(await codesOf(customerId)).toEqual(["written_off_loan"]);
  });

  test("is 404 for an unknown customer and another merchant's", async () => {
    const id = await person();
    const path = (customerId: string) => `/loans/bnpl/customers/${customerId}/eligibility`;
    const key = app.otherMerchant.secretKey;
    for (const reply of [await call("GET", path(unknownId)), await call("GET", path(id), { key })]) {
      expect([reply.statusCode, reply.json().code]).toEqual([404, "checkout_customer_not_found"]);
    }
  });
});

describe("the credit policy", () => {
  test("is what an environment starts with, and opening it again changes nothing", async () => {
    await within(openCheckout);
    expect(await within(findPolicy)).toEqual(startingPolicy);
  });

  test("in a new version holds from its date on, and a loan keeps the version that allowed it", async () => {
    const id = await person();
    const old = (await request(id)).json().data.id;
    const now = await within(async (tx) => tx.environment.clock.now());
    const tomorrow = new Date(now.getTime() + 86_400_000);
    const generous = { ...startingPolicy, version: 4, effectiveFrom: tomorrow };
    const tiers = [{ ...nothingRepaid, limit: kobo(90_000_000n) }];
    await within((tx) => publishPolicy(tx, { ...generous, tiers, tenors: [2, 24] }));
    expect(await eligibility(id)).toMatchObject({ policy_version: 3, max_amount: 140_000 });
    await app.advance({ days: 1 });
    expect(await eligibility(id)).toMatchObject({
      policy_version: 4,
      max_amount: 900_000,
      // The product goes to a year and no further.
      tenors: [{ tenor: 2, tenor_type: "monthly", interest_rate: 2.5 }],
    });
    const young = (await request(id, { tenor: 2 })).json().data.id;
    const versions = await within((tx) =>
      tx.selectFrom("checkout_loans").select(["id", "policy_version"]).where("customer_id", "=", id).execute(),
    );
    expect(Object.fromEntries(versions.map((row) => [row.id, row.policy_version]))).toEqual({ [old]: 3, [young]: 4 });
  });
});
