import { describe, expect, test } from "vitest";
import { createCheckoutApp, unknownId } from "../../../testing/checkout/checkout.ts";
import { verifyLedger } from "../../ledger/verify.ts";
import { inEnvironment } from "../../platform/database/database.ts";
import { startSending } from "../../transfers/payouts/transfer-store.ts";
import { insertCheckoutLoan } from "./checkout-loan-store.ts";
import { disburseCheckoutLoan } from "./disburse-checkout-loan.ts";
import { requireCheckoutLoan } from "./read-checkout-loan.ts";

const app = await createCheckoutApp();
const { operate, person, request, read, heard, within, lend, link, consent, status, advance } = app;

const decide = (id: string, way: string, body: unknown = { reason: "Ticket 4711" }, headers = {}) =>
  operate("POST", `/operator/checkout-loans/${id}/${way}`, body, headers);

async function approved(): Promise<string> {
  const customerId = await person();
  const { id } = (await request(customerId)).json().data;
  await link(customerId, "linked");
  await consent(id);
  return id;
}

/** An approved loan whose payment was sent and of which the bank has said nothing. */
async function sent(): Promise<{ id: string; transferId: string }> {
  const id = await approved();
  return within(async (tx) => {
    await disburseCheckoutLoan(tx, { rails: app.rails.rails }, id);
    const transferId = (await requireCheckoutLoan(tx, id)).disbursementId ?? "";
    const sessionId = `999002${Date.now()}`.padEnd(30, "0");
    expect(
      (await startSending(tx, [{ id: transferId, accountName: "Mama Put", sessionId, connectionId: null }])).size,
    ).toBe(1);
    return { id, transferId };
  });
}

const resolve = (transferId: string, outcome: "completed" | "failed") =>
  operate("POST", `/operator/transfers/${transferId}/resolve`, { outcome, evidence: "Settlement report, line 7" });

describe("an operator", () => {
  test("rejects a pending loan, and the trail says who and why", async () => {
    const { id } = (await request(await person())).json().data;
    const reply = await decide(id, "reject");
    expect(reply.statusCode, reply.body).toBe(200);
    expect(reply.json()).toMatchObject({ status: true, data: { id, status: "rejected" } });
    expect((await operate("GET", "/operator/audit?limit=1")).json().data[0]).toMatchObject({
      action: "checkout_loan.reject",
      subjectType: "checkout_loan",
      subjectId: id,
      detail: { reason: "Ticket 4711" },
    });
    expect(await heard(id)).toEqual(["bnpl.loan.created", "bnpl.loan.rejected"]);
    const again = await decide(id, "reject");
    expect([again.statusCode, again.json().code]).toEqual([409, "invalid_state"]);
  });

  test("decides about neither loan where two sandboxes have one with this id", async () => {
    const { id } = (await request(await person())).json().data;
    const loan = await within((tx) => requireCheckoutLoan(tx, id));
    const elsewhere = app.otherMerchant.environment.id;
    const customerId = await app.customer(elsewhere);
    await inEnvironment(app.db, elsewhere, (tx) => insertCheckoutLoan(tx, { ...loan, customerId }));
    const reply = await decide(id, "reject");
    expect([reply.statusCode, reply.json().code, await status(id)]).toEqual([409, "invalid_state", "pending_consent"]);
  });

  test("has a loan paid out at once, and not twice", async () => {
    const id = await approved();
    const headers = { "idempotency-key": `disburse-${id}` };
    const reply = await decide(id, "disburse", undefined, headers);
    expect(reply.statusCode, reply.body).toBe(200);
    expect((await decide(id, "disburse", undefined, headers)).body).toBe(reply.body);
    await advance({ seconds: 5 });
    expect(await status(id)).toBe("active");
    const late = await decide(id, "disburse");
    expect([late.statusCode, late.json().code]).toEqual([409, "invalid_state"]);
    expect(await heard(id)).toEqual(["bnpl.loan.created", "bnpl.loan.approved", "bnpl.loan.disbursed"]);
  });

  test("cannot have a loan paid out whose payment is under way", async () => {
    const { id, transferId } = await sent();
    const busy = await decide(id, "disburse");
    expect([busy.statusCode, busy.json().code]).toEqual([409, "checkout_loan_being_disbursed"]);
    expect((await resolve(transferId, "completed")).statusCode).toBe(200);
    expect(await read(id)).toMatchObject({ status: "active", balance: 64_500 });
  });

  test("who knows that the bank has not paid leaves the loan approved, to be tried again", async () => {
    const { id, transferId } = await sent();
    expect((await resolve(transferId, "failed")).statusCode).toBe(200);
    expect(await status(id)).toBe("approved");
    await advance({ seconds: 599 });
    expect(await status(id)).toBe("approved");
    await advance({ seconds: 2 });
    expect(await status(id)).toBe("active");
    expect(await within(verifyLedger)).toEqual([]);
  });

  test("writes an overdue loan off, and no other", async () => {
    const { loanId } = await lend("declines_later");
    const early = await decide(loanId, "write-off");
    expect([early.statusCode, early.json().code]).toEqual([409, "invalid_state"]);
    await advance({ days: 40 });
    expect(await status(loanId)).toBe("overdue");
    expect((await decide(loanId, "write-off")).json().data.status).toBe("written_off");
    expect(await heard(loanId)).toContain("bnpl.loan.overdue");
    expect(await within(verifyLedger)).toEqual([]);
  });

  test.each(["reject", "disburse", "write-off"])("is refused to %s without a reason or a loan", async (way) => {
    const { id } = (await request(await person())).json().data;
    expect((await decide(id, way, { reason: "" })).statusCode).toBe(422);
    const unknown = await decide(unknownId, way);
    expect([unknown.statusCode, unknown.json().code]).toEqual([404, "checkout_loan_not_found"]);
    const merchant = await app.call("POST", `/operator/checkout-loans/${id}/${way}`, { body: { reason: "Mine" } });
    expect(merchant.statusCode).toBe(401);
  });
});
