/** A checkout loan from request to its end, and the ways that do not get there. */
import { describe, expect, test } from "vitest";
import { createCheckoutApp, freshBvn, unknownId } from "../../../testing/checkout/checkout.ts";
import { naira } from "../../../testing/lending/lending.ts";
import { verifyLedger } from "../../ledger/verify.ts";
import { verifyLending } from "../../lending/verify-lending.ts";
import { cancelScheduled } from "../../platform/work/agenda.ts";
import { loanOwners } from "../../start/slice-needs.ts";
import { reverseBySession } from "../../transfers/sending/steer-transfer.ts";
import { publishPolicy } from "../credit/policies.ts";
import { nothingRepaid, startingPolicy } from "../credit/policy.ts";
import { loanMoved } from "../follow-loans.ts";
import { checkoutLoanSweepSources } from "./checkout-loans.job.ts";
import { expireCheckoutLoan, expireWhenDue } from "./end-checkout-loan.ts";
import { meetRequirements, noteConsent } from "./meet-requirements.ts";
import { lockCheckoutLoan, requireCheckoutLoan } from "./read-checkout-loan.ts";
import { disburseTask, expireTask } from "./tasks.ts";

const app = await createCheckoutApp();
const { call, person, request, read, heard, within, advance, status, consent, link, lend, db } = app;

const intact = async () => {
  expect(await within(verifyLedger)).toEqual([]);
  expect(await within(verifyLending)).toEqual([]);
};

async function asked(changes: Readonly<Record<string, unknown>> = {}) {
  const customerId = await person(changes);
  const reply = await request(customerId);
  expect(reply.statusCode, reply.body).toBe(201);
  return { customerId, loanId: String(reply.json().data.id) };
}

const cancel = (loanId: string, key?: string) =>
  call("POST", `/loans/bnpl/loans/${loanId}/cancel`, key === undefined ? {} : { key });

describe("the way to the money", () => {
  test("goes by consent, card, approval and payment, each heard of", async () => {
    const { customerId, loanId } = await asked();
    await consent(loanId);
    expect(await read(loanId)).toMatchObject({
      status: "pending_card",
      consent_status: "consented",
      requirements: [{ status: "met" }, { status: "pending" }],
    });
    await link(customerId, "linked");
    expect(await read(loanId)).toMatchObject({
      status: "approved",
      requirements: [{ status: "met" }, { status: "met" }],
    });
    await advance({ seconds: 2 });
    const loan = await read(loanId);
    expect(loan).toMatchObject({ status: "active", balance: 64_500 });
    expect(await heard(loanId)).toEqual(["bnpl.loan.created", "bnpl.loan.approved", "bnpl.loan.disbursed"]);
    await intact();
  });

  test("skips pending_card when a card is linked already", async () => {
    const { customerId, loanId } = await asked();
    await link(customerId, "linked");
    expect(await status(loanId)).toBe("pending_consent");
    await consent(loanId);
    expect(await status(loanId)).toBe("approved");
  });

  test("counts due dates from the payment, not from the request", async () => {
    const { customerId, loanId } = await asked();
    const projected = (await read(loanId))["next_due_date"];
    await advance({ seconds: 20 * 3600 });
    await link(customerId, "linked");
    await consent(loanId);
    await advance({ seconds: 5 });
    const fixed = (await read(loanId))["next_due_date"];
    expect(Date.parse(String(fixed)) - Date.parse(String(projected))).toBeGreaterThanOrEqual(0);
    await advance({ seconds: 86_400 });
    expect((await read(loanId))["next_due_date"]).toBe(fixed);
  });

  test("ends in rejection when the customer may no longer borrow", async () => {
    const { customerId, loanId } = await asked();
    await consent(loanId);
    await app.operate("POST", `/operator/customers/${customerId}/kyc`, { status: "failed", reason: "Forged" });
    await link(customerId, "linked");
    expect(await read(loanId)).toMatchObject({ status: "rejected", consent_status: "consented", balance: 0 });
    expect(await heard(loanId)).toEqual(["bnpl.loan.created", "bnpl.loan.rejected"]);
    await advance({ days: 2 });
    expect(await status(loanId)).toBe("rejected");
  });

  test("ends in rejection when the limit has fallen below the amount", async () => {
    const { customerId, loanId } = await asked();
    await consent(loanId);
    const tiers = [{ ...nothingRepaid, limit: naira("59,999.00") }];
    await within((tx) => publishPolicy(tx, { ...startingPolicy, version: startingPolicy.version + 1, tiers }));
    await link(customerId, "linked");
    await within((tx) => publishPolicy(tx, { ...startingPolicy, version: startingPolicy.version + 2 }));
    expect(await status(loanId)).toBe("rejected");
    expect(await heard(loanId)).toEqual(["bnpl.loan.created", "bnpl.loan.rejected"]);
  });

  test("needs consent: meeting requirements without it changes nothing", async () => {
    const { customerId, loanId } = await asked();
    await link(customerId, "linked");
    const deps = { loanMoved, sealer: app.dependencies.sealer };
    const loan = await within(async (tx) => meetRequirements(tx, deps, await lockCheckoutLoan(tx, loanId)));
    expect(loan.status).toBe("pending_consent");
    await consent(loanId);
    const again = within(async (tx) => noteConsent(tx, (await lockCheckoutLoan(tx, loanId)).loan));
    await expect(again).rejects.toMatchObject({ code: "invalid_state" });
  });
});

describe("a payment", () => {
  test("that the bank refuses leaves the loan approved and is tried again", async () => {
    await call("PUT", "/sandbox/banks/058/health", { body: { status: "up" } });
    const customerId = await person();
    const { id: loanId } = (await request(customerId, { bank_code: "044", bank_account_no: "0690000032" })).json().data;
    await link(customerId, "linked");
    await consent(loanId);
    await call("PUT", "/sandbox/banks/044/health", { body: { status: "down" } });
    await advance({ seconds: 5 });
    expect(await status(loanId)).toBe("approved");
    await call("PUT", "/sandbox/banks/044/health", { body: { status: "up" } });
    await advance({ seconds: 1_800 });
    expect(await status(loanId)).toBe("active");
    expect(await heard(loanId)).toEqual(["bnpl.loan.created", "bnpl.loan.approved", "bnpl.loan.disbursed"]);
    await intact();
  });

  test("that the bank returns makes the loan approved again, and it is paid out again", async () => {
    const { loanId } = await lend();
    const sessionId = await within(async (tx) => {
      const { disbursementId } = await requireCheckoutLoan(tx, loanId);
      const query = tx
        .selectFrom("transfers")
        .select("session_id")
        .where("id", "=", disbursementId ?? "");
      return (await query.executeTakeFirstOrThrow()).session_id ?? "";
    });
    const { disbursementSettled } = loanOwners(app.dependencies.sealer);
    const deps = { db, groupCommit: app.groupCommit, disbursementSettled };
    const environmentId = app.merchant.environment.id;
    expect(await reverseBySession(deps, { environmentId, sessionId })).toBe(true);
    expect(await status(loanId)).toBe("approved");
    await advance({ seconds: 605 });
    expect(await status(loanId)).toBe("active");
    const events = ["created", "approved", "disbursed", "disbursed"];
    expect(await heard(loanId)).toEqual(events.map((word) => `bnpl.loan.${word}`));
    await intact();
  });

  test("that nothing would make any more is found by the sweeper", async () => {
    const { customerId, loanId } = await asked();
    const found = async (source: number) =>
      (await checkoutLoanSweepSources[source]?.find(db, undefined, 500))?.map(({ subject }) => subject);
    expect(await found(0)).toContain(loanId);
    await link(customerId, "linked");
    await consent(loanId);
    await within((tx) => cancelScheduled(tx, disburseTask, [loanId]));
    expect(await found(0)).not.toContain(loanId);
    expect(await found(1)).toContain(loanId);
    await app.tasks.kinds.get(disburseTask)?.handle({
      environmentId: app.merchant.environment.id,
      subject: loanId,
      payload: {},
    });
    await advance({ seconds: 1 });
    expect(await status(loanId)).toBe("active");
    expect(await found(1)).not.toContain(loanId);
  });
});

describe("a loan that is not completed in time", () => {
  test("expires after 24 hours, not a second before", async () => {
    const { customerId, loanId } = await asked();
    await advance({ seconds: 86_399 });
    expect(await status(loanId)).toBe("pending_consent");
    await advance({ seconds: 1 });
    expect(await read(loanId)).toMatchObject({ status: "expired", consent_status: "expired", balance: 0 });
    expect(await heard(loanId)).toEqual(["bnpl.loan.created", "bnpl.loan.expired"]);
    expect(await app.eligibility(customerId)).toMatchObject({ max_amount: 200_000 });
    const late = await call("POST", `/loans/bnpl/loans/${loanId}/consent/request`);
    expect([late.statusCode, late.json().code]).toEqual([409, "invalid_state"]);
  });

  test("keeps the consent that was given", async () => {
    const { loanId } = await asked();
    await consent(loanId);
    await advance({ days: 1 });
    expect(await read(loanId)).toMatchObject({ status: "expired", consent_status: "consented" });
  });

  test("is left alone by a task that comes early, and by one that comes late", async () => {
    const { customerId, loanId } = await asked();
    await within((tx) => cancelScheduled(tx, expireTask, [loanId]));
    await within((tx) => expireWhenDue(tx, { loanMoved }, loanId));
    expect(await status(loanId)).toBe("pending_consent");
    await link(customerId, "linked");
    await consent(loanId);
    await within((tx) => expireCheckoutLoan(tx, { loanMoved }, loanId));
    expect(await status(loanId)).toBe("approved");
    await within((tx) => expireWhenDue(tx, { loanMoved }, unknownId));
    await advance({ days: 2 });
    expect(await status(loanId)).toBe("active");
  });
});

describe("cancelling", () => {
  test("takes a pending loan back, and a second cancel is refused", async () => {
    const { loanId } = await asked();
    const reply = await cancel(loanId);
    expect(reply.statusCode, reply.body).toBe(200);
    expect(reply.json().data).toMatchObject({ status: "cancelled", consent_status: "expired", balance: 0 });
    const again = await cancel(loanId);
    expect([again.statusCode, again.json().code, again.json().data]).toEqual([
      409,
      "invalid_state",
      { status: "cancelled" },
    ]);
    await advance({ days: 2 });
    expect(await heard(loanId)).toEqual(["bnpl.loan.created", "bnpl.loan.cancelled"]);
  });

  test("is replayed under an Idempotency-Key", async () => {
    const { loanId } = await asked();
    const headers = { "idempotency-key": `cancel-${loanId}` };
    const path = `/loans/bnpl/loans/${loanId}/cancel`;
    const first = await call("POST", path, { headers });
    const again = await call("POST", path, { headers });
    expect([first.statusCode, again.statusCode, again.body]).toEqual([200, 200, first.body]);
  });

  test("takes an approved loan back until its payment begins", async () => {
    const { customerId, loanId } = await asked();
    await link(customerId, "linked");
    await consent(loanId);
    expect((await cancel(loanId)).json().data.status).toBe("cancelled");
    await advance({ days: 1 });
    expect(await status(loanId)).toBe("cancelled");
    await intact();
  });

  test("is refused while money is on its way, and when it is out", async () => {
    const customerId = await person();
    const { id: loanId } = (await request(customerId, { bank_code: "044", bank_account_no: "0690000032" })).json().data;
    await link(customerId, "linked");
    await consent(loanId);
    await within((tx) =>
      tx.updateTable("checkout_loans").set({ disbursement_id: unknownId }).where("id", "=", loanId).execute(),
    );
    const busy = await cancel(loanId);
    expect([busy.statusCode, busy.json().code]).toEqual([409, "checkout_loan_being_disbursed"]);
    const lent = await lend();
    const late = await cancel(lent.loanId);
    expect([late.statusCode, late.json().code]).toEqual([409, "invalid_state"]);
  });

  test("is 404 for another merchant and an unknown loan", async () => {
    const { loanId } = await asked({ bvn: freshBvn() });
    for (const reply of [await cancel(loanId, app.otherMerchant.secretKey), await cancel(unknownId)]) {
      expect([reply.statusCode, reply.json().code]).toEqual([404, "checkout_loan_not_found"]);
    }
    expect(await status(loanId)).toBe("pending_consent");
  });
});
