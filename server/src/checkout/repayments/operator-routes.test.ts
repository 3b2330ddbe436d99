import { describe, expect, test } from "vitest";
import { createCheckoutApp, unknownId } from "../../../testing/checkout/checkout.ts";
import { emptyFunding, moveFunding } from "../../../testing/lending/funding.ts";
import { house } from "../../start/slices.ts";

const app = await createCheckoutApp();
const { call, lend, read, heard, within, operate } = app;
await call("POST", "/sandbox/wallets/fund", { body: { amount: 1_000_000 } });

let made = 0;
const wallet = async () => (await call("GET", "/wallets/balance")).json().data.available;

async function repay(loanId: string, body: object = {}): Promise<string> {
  made += 1;
  const sent = { amount: 21_500, reference: `ref-${made}`, channel: "wallet", ...body };
  const reply = await call("POST", `/loans/bnpl/loans/${loanId}/repayments`, { body: sent });
  expect(reply.statusCode, reply.body).toBe(201);
  return reply.json().data.id;
}

const reverse = (
  loanId: string,
  repaymentId: string,
  body: object = { reason: "The transfer bounced" },
  headers = {},
) => operate("POST", `/operator/checkout-loans/${loanId}/repayments/${repaymentId}/reverse`, body, headers);
const audited = async (loanId: string) =>
  (await operate("GET", "/operator/audit?limit=100"))
    .json()
    .data.filter(
      ({ subjectId, action }: { subjectId: string; action: string }) =>
        subjectId === loanId && action === "checkout_loan.reverse_repayment",
    );
const intact = async () => expect(await within((tx) => house.verify(tx))).toEqual([]);

describe("an operator", () => {
  test("reverses a repayment: the wallet has its money again, the loan owes it, the merchant hears of it", async () => {
    const { loanId } = await lend();
    const [before, owed] = [await wallet(), (await read(loanId)).balance];
    const id = await repay(loanId);
    const reply = await reverse(loanId, id);
    expect(reply.statusCode, reply.body).toBe(200);
    expect(reply.json()).toMatchObject({
      status: true,
      data: { id, loan_id: loanId, status: "reversed", reversal_reason: "The transfer bounced" },
    });
    expect([await wallet(), (await read(loanId)).balance]).toEqual([before, owed]);
    expect((await heard(loanId)).slice(-2)).toEqual(["bnpl.loan.repayment.successful", "bnpl.loan.repayment.failed"]);
    expect(await audited(loanId)).toMatchObject([
      {
        action: "checkout_loan.reverse_repayment",
        subjectType: "checkout_loan",
        detail: { repaymentId: id, amount: 21_500, channel: "wallet", reason: "The transfer bounced" },
      },
    ]);
    await intact();
  });

  test("does it once, also when several do it at the same time", async () => {
    const { loanId } = await lend();
    const before = await wallet();
    const id = await repay(loanId);
    const replies = await Promise.all(
      Array.from({ length: 5 }, (_, place) => reverse(loanId, id, { reason: `${place}` })),
    );
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
    const first = replies.filter(({ headers }) => headers["idempotent-replayed"] === undefined);
    expect(first).toHaveLength(1);
    expect(new Set(replies.map((reply) => reply.json().data.reversal_reason)).size).toBe(1);
    expect(await wallet()).toBe(before);
    expect(await audited(loanId)).toHaveLength(1);
    expect((await heard(loanId)).filter((event) => event === "bnpl.loan.repayment.failed")).toHaveLength(1);
  });

  test("opens a completed loan again", async () => {
    const { loanId } = await lend();
    const id = await repay(loanId, { amount: 64_500 });
    expect(await read(loanId)).toMatchObject({ status: "completed" });
    await reverse(loanId, id);
    expect(await read(loanId)).toMatchObject({ status: "active", balance: 64_500 });
    await intact();
  });

  test("takes back a card's repayment that its network has taken back", async () => {
    const { loanId } = await lend();
    const id = await repay(loanId, { channel: "card" });
    expect((await reverse(loanId, id, { reason: "Charged back" })).json().data).toMatchObject({ channel: "card" });
    expect(await read(loanId)).toMatchObject({ balance: 64_500 });
    await intact();
  });

  test("cannot give back by a way what went back by it already", async () => {
    const { loanId } = await lend();
    const id = await repay(loanId, { amount: 70_000 });
    const body = { amount: 5_500, reference: `back-${loanId}`, channel: "wallet" };
    expect((await call("POST", `/loans/bnpl/loans/${loanId}/credit/refund`, { body })).statusCode).toBe(201);
    const reply = await reverse(loanId, id);
    expect([reply.statusCode, reply.json().code, reply.json().data]).toEqual([
      409,
      "repayment_refunded",
      { channel: "wallet", paid: 70_000, refunded: 5_500 },
    ]);
    await intact();
  });

  test("is told when the lender has lent the money again, and can do it once the lender is funded", async () => {
    const { loanId } = await lend();
    const id = await repay(loanId);
    const funds = await within(emptyFunding);
    const reply = await reverse(loanId, id);
    expect([reply.statusCode, reply.json().code, reply.json().data]).toEqual([
      422,
      "lender_funds_short",
      { short: 20_000 },
    ]);
    expect(await audited(loanId)).toEqual([]);
    await within((tx) => moveFunding(tx, funds));
    expect((await reverse(loanId, id)).statusCode).toBe(200);
    await intact();
  });

  test("is replayed by the Idempotency-Key", async () => {
    const { loanId } = await lend();
    const id = await repay(loanId);
    const headers = { "idempotency-key": `reverse-${id}` };
    const first = await reverse(loanId, id, undefined, headers);
    expect((await reverse(loanId, id, undefined, headers)).body).toBe(first.body);
  });

  test("finds neither a repayment of another loan nor a loan that is not there", async () => {
    const { loanId } = await lend();
    const { loanId: other } = await lend();
    const id = await repay(other);
    for (const [loan, repayment, code] of [
      [loanId, id, "repayment_not_found"],
      [loanId, unknownId, "repayment_not_found"],
      [unknownId, id, "checkout_loan_not_found"],
      ["no-uuid", id, "checkout_loan_not_found"],
    ] as const) {
      const reply = await reverse(loan, repayment);
      expect([reply.statusCode, reply.json().code]).toEqual([404, code]);
    }
    expect((await reverse(other, id, { reason: " " })).statusCode).toBe(422);
    expect(
      (await call("POST", `/operator/checkout-loans/${other}/repayments/${id}/reverse`, { body: {} })).statusCode,
    ).toBe(401);
  });
});
