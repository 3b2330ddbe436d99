import { describe, expect, test } from "vitest";
import { createLendingApp } from "../../testing/lending/loans.ts";
import { verifyLedger } from "../ledger/verify.ts";
import { readEnvironment } from "../platform/database/database.ts";

const testing = await createLendingApp();
const { call, read, advance, heard, lend, request } = testing;
const environmentId = testing.merchant.environment.id;
await call("POST", "/sandbox/wallets/fund", { body: { amount: 5_000_000 } });

const unknownId = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11";
const nothing = { fees: 0, interest: 0, principal: 0, credit: 0, suspense: 0 };
let references = 0;

function repay(id: string, changes: Readonly<Record<string, unknown>> = {}, headers = {}) {
  references += 1;
  const body = { amount: 14800, reference: `repayment-${references}`, channel: "cash", ...changes };
  return call("POST", `/loans/${id}/repayments`, { body, headers });
}

const repaymentsOf = async (id: string, query = "") => (await call("GET", `/loans/${id}/repayments${query}`)).json();

const available = async (): Promise<number> => (await call("GET", "/wallets/balance")).json().data.available;

describe("POST /loans/{id}/repayments", () => {
  test("by a wallet that is not there takes nothing", async () => {
    const id = await lend();
    const before = await available();
    const reply = await repay(id, { channel: "wallet", wallet_id: unknownId });
    expect([reply.statusCode, reply.json().code]).toEqual([404, "wallet_not_found"]);
    expect(await available()).toBe(before);
  });

  test("pays interest and principal of the earliest instalment, and the figures follow", async () => {
    const id = await lend();
    const reply = await repay(id, { reference: "first" });
    expect(reply.statusCode, reply.body).toBe(201);
    expect(reply.json()).toEqual({
      status: "success",
      title: "Repayment",
      message: "Repayment recorded",
      data: {
        id: expect.any(String),
        loan_id: id,
        reference: "first",
        channel: "cash",
        amount: 14800,
        allocation: { ...nothing, interest: 4800, principal: 10000 },
        refunded: 0,
        status: "successful",
        created_at: expect.any(String),
        reversed_at: null,
        reversal_reason: null,
      },
    });
    const { loan_details } = await read(id);
    expect(loan_details).toMatchObject({ balance: 162800, next_repayment_amount: 14800, to_repay: 14800 });
    expect(loan_details.next_due_date?.slice(0, 7)).toBe("2027-01");
    expect(loan_details.repayment_schedules.slice(0, 2)).toMatchObject([
      { amount_paid: 14800, balance: 0, status: "paid" },
      { amount_paid: 0, balance: 14800, status: "pending", paid_at: null },
    ]);
    expect((await heard(id)).at(-1)).toBe("loan.repayment.successful");
  });

  test("takes it from the wallet with the channel wallet, or refuses when the wallet lacks it", async () => {
    const id = await lend();
    const before = await available();
    const refused = await repay(id, { channel: "wallet", amount: before + 0.01 });
    expect([refused.statusCode, refused.json().code]).toEqual([422, "insufficient_funds"]);
    expect((await repay(id, { channel: "wallet" })).statusCode).toBe(201);
    expect(await available()).toBe(before - 14800);
    expect(await readEnvironment(testing.db, environmentId, verifyLedger)).toEqual([]);
  });

  test("completes the loan when everything is paid, and what is beyond is credit that can be refunded", async () => {
    const id = await lend();
    const reply = await repay(id, { amount: 180000, channel: "bank_transfer" });
    expect(reply.json().data.allocation).toMatchObject({ interest: 57600, principal: 120000, credit: 2400 });
    expect(await read(id)).toMatchObject({
      loan_request: { status: "completed" },
      loan_details: { status: 5, balance: 0, next_repayment_amount: 0, to_repay: 0, credit: 2400, next_due_date: null },
    });
    expect((await heard(id)).slice(-2)).toEqual(["loan.repayment.successful", "loan.completed"]);
    const refund = (changes = {}) =>
      call("POST", `/loans/${id}/credit/refund`, {
        body: { amount: 2400, reference: `refund-${id}`, channel: "bank_transfer", ...changes },
      });
    const tooMuch = await refund({ amount: 2400.01 });
    expect([tooMuch.statusCode, tooMuch.json().code, tooMuch.json().data]).toEqual([
      422,
      "credit_too_small",
      { credit: 2400 },
    ]);
    expect((await refund()).statusCode).toBe(201);
    const repeated = await refund();
    expect([repeated.statusCode, repeated.headers["idempotent-replayed"]]).toEqual([200, "true"]);
    expect((await refund({ amount: 1 })).json().code).toBe("reference_conflict");
    expect((await refund({ channel: "card", reference: "card-refund" })).json().code).toBe("card_not_linked");
    expect((await repaymentsOf(id)).data[0]).toMatchObject({ refunded: 2400, allocation: { credit: 0 } });
  });

  test.each(["cash", "bank_transfer"])("by %s leaves the wallet that is named, or is refused", async (channel) => {
    const accountName = `Till for ${channel}`;
    const till = (await call("POST", "/wallets/sub-accounts", { body: { accountName } })).json().data.id;
    const [id, before] = [await lend(), await available()];
    const refused = await repay(id, { channel, wallet_id: till });
    expect([refused.statusCode, refused.json().code]).toEqual([422, "insufficient_funds"]);
    await call("POST", "/sandbox/wallets/fund", { body: { amount: 180000, accountId: till } });
    expect((await repay(id, { channel, wallet_id: till, amount: 180000 })).statusCode).toBe(201);
    const balance = async () => (await call("GET", `/wallets/balance?accountId=${till}`)).json().data.available;
    expect([await balance(), await available()]).toEqual([0, before]);
    const back = (more: object) =>
      call("POST", `/loans/${id}/credit/refund`, { body: { amount: 2400, reference: `back-${id}`, channel, ...more } });
    expect((await back({})).json()).toMatchObject({ code: "refund_channel_mismatch", data: { refundable: 0 } });
    expect((await back({ wallet_id: unknownId })).json().code).toBe("wallet_not_found");
    expect((await back({ wallet_id: till })).statusCode).toBe(201);
    expect([await balance(), await available()]).toEqual([2400, before]);
  });

  test("is given back once: a wallet that a refund has paid is not paid again by a reversal", async () => {
    const [id, before] = [await lend(), await available()];
    const byWallet = await repay(id, { amount: 100000, channel: "wallet" });
    await repay(id, { amount: 500000, channel: "cash" });
    const back = { amount: 100000, reference: `once-${id}`, channel: "wallet" };
    expect((await call("POST", `/loans/${id}/credit/refund`, { body: back })).statusCode).toBe(201);
    const path = `/loans/${id}/repayments/${byWallet.json().data.id}/reverse`;
    const reversed = await call("POST", path, { body: { reason: "bounced" } });
    expect([reversed.statusCode, reversed.json().code, reversed.json().data]).toEqual([
      409,
      "repayment_refunded",
      { channel: "wallet", paid: 100000, refunded: 100000 },
    ]);
    expect(await available()).toBe(before - 500000);
  });

  test("that was only reported in cash cannot be refunded as money in a wallet", async () => {
    const id = await lend();
    await repay(id, { amount: 180000, channel: "cash" });
    const before = await available();
    const refund = await call("POST", `/loans/${id}/credit/refund`, {
      body: { amount: 2400, reference: `refund-${id}`, channel: "wallet" },
    });
    expect([refund.statusCode, refund.json().code, refund.json().data]).toEqual([
      422,
      "refund_channel_mismatch",
      { refundable: 0 },
    ]);
    expect(await available()).toBe(before);
  });

  test("cannot be reversed once its credit was refunded", async () => {
    const id = await lend();
    const paid = await repay(id, { amount: 180000, channel: "cash" });
    const body = { amount: 2400, reference: `refund-${id}`, channel: "cash" };
    expect((await call("POST", `/loans/${id}/credit/refund`, { body })).statusCode).toBe(201);
    const path = `/loans/${id}/repayments/${paid.json().data.id}/reverse`;
    const reversed = await call("POST", path, { body: { reason: "bounced" } });
    expect([reversed.statusCode, reversed.json().code]).toEqual([409, "repayment_refunded"]);
    expect((await read(id)).loan_request.status).toBe("completed");
    expect(await readEnvironment(testing.db, environmentId, verifyLedger)).toEqual([]);
  });

  test("sent twice under one reference is one repayment; other content is refused", async () => {
    const id = await lend();
    const [first, second] = [await repay(id, { reference: "twice" }), await repay(id, { reference: "twice" })];
    expect([first.statusCode, second.statusCode]).toEqual([201, 200]);
    expect(second.json().data).toEqual(first.json().data);
    expect(second.headers["idempotent-replayed"]).toBe("true");
    const other = await repay(id, { reference: "twice", amount: 1 });
    expect([other.statusCode, other.json().code, other.json().data.fields]).toEqual([
      409,
      "reference_conflict",
      ["amount"],
    ]);
    expect((await repaymentsOf(id)).data).toHaveLength(1);
  });

  test("is one repayment when two come at once, by reference and by Idempotency-Key", async () => {
    const id = await lend();
    const twins = await Promise.all([1, 2].map(() => repay(id, { reference: "twins" })));
    expect(twins.map((reply) => reply.statusCode).sort()).toEqual([200, 201]);
    const headers = { "idempotency-key": "pay-once" };
    const keyed = await Promise.all([1, 2].map(() => repay(id, { reference: "keyed" }, headers)));
    expect(new Set(keyed.map((reply) => reply.body)).size).toBe(1);
    expect((await read(id)).loan_details.balance).toBe(148000);
  });

  test.each([
    [{ amount: "14800" }, ["amount"]],
    [{ amount: 0 }, ["amount"]],
    [{ amount: 1.001 }, ["amount"]],
    [{ reference: "" }, ["reference"]],
    [{ channel: "cheque", reference: 7 }, ["reference", "channel"]],
  ])("refuses %j", async (changes, fields) => {
    const reply = await repay(await lend(), changes);
    expect([reply.statusCode, reply.json().code]).toEqual([422, "validation_failed"]);
    expect(reply.json().errors.map(({ field }: { field: string }) => field)).toEqual(fields);
  });

  test("refuses a card, for none is linked", async () => {
    const reply = await repay(await lend(), { channel: "card" });
    expect([reply.statusCode, reply.json().code]).toEqual([422, "card_not_linked"]);
  });

  test("refuses money for a loan that is not out", async () => {
    const reply = await repay(await request());
    expect([reply.statusCode, reply.json().code, reply.json().data]).toEqual([
      409,
      "invalid_state",
      { status: "pending" },
    ]);
  });

  test("knows no loan of another merchant", async () => {
    const theirs = await request({}, testing.otherMerchant.secretKey);
    for (const path of ["repayments", "credit/refund", `repayments/${unknownId}/reverse`]) {
      const body = { amount: 100, reference: "x", channel: "cash", reason: "x" };
      const reply = await call("POST", `/loans/${theirs}/${path}`, { body });
      expect([reply.statusCode, reply.json().code]).toEqual([404, "loan_not_found"]);
    }
  });
});

describe("GET /loans/{id}/repayments", () => {
  test("shows them newest first, by page", async () => {
    const id = await lend();
    for (const amount of [100, 200, 300]) await repay(id, { amount });
    const page = await repaymentsOf(id, "?page=1&limit=2");
    expect(page.data.map(({ amount }: { amount: number }) => amount)).toEqual([300, 200]);
    expect(page.meta).toEqual({ current_page: 1, next_page: 2, prev_page: null, per_page: 2 });
    expect((await repaymentsOf(id, "?limit=101")).code).toBe("validation_failed");
  });
});

describe("POST /loans/{id}/repayments/{repaymentId}/reverse", () => {
  const reverse = (id: string, repaymentId: string, body: unknown = { reason: "It bounced" }, headers = {}) =>
    call("POST", `/loans/${id}/repayments/${repaymentId}/reverse`, { body, headers });

  test("puts the loan back to where it was, gives a wallet its money back, and does so once", async () => {
    const id = await lend();
    await call("POST", "/sandbox/wallets/fund", { body: { amount: 200000 } });
    const before = await available();
    const { id: repaymentId } = (await repay(id, { amount: 177600, channel: "wallet" })).json().data;
    expect((await read(id)).loan_request.status).toBe("completed");
    const replies = await Promise.all([reverse(id, repaymentId), reverse(id, repaymentId)]);
    expect(replies.map((reply) => reply.statusCode)).toEqual([200, 200]);
    expect(replies[0]?.json().data).toMatchObject({
      status: "reversed",
      reversal_reason: "It bounced",
      allocation: nothing,
    });
    expect(await available()).toBe(before);
    expect(await read(id)).toMatchObject({ loan_request: { status: "active" }, loan_details: { balance: 177600 } });
    expect((await heard(id)).slice(-3)).toEqual([
      "loan.repayment.successful",
      "loan.completed",
      "loan.repayment.failed",
    ]);
    expect(await readEnvironment(testing.db, environmentId, verifyLedger)).toEqual([]);
  });

  test("refuses what is not there and what gives no reason, and answers a repeated key as before", async () => {
    const id = await lend();
    expect((await reverse(id, unknownId)).json().code).toBe("repayment_not_found");
    expect((await reverse(id, "no-uuid")).statusCode).toBe(404);
    const { id: repaymentId } = (await repay(id)).json().data;
    expect((await reverse(id, repaymentId, {})).json().errors[0].field).toBe("reason");
    const headers = { "idempotency-key": "reverse-once" };
    const [first, second] = [
      await reverse(id, repaymentId, undefined, headers),
      await reverse(id, repaymentId, undefined, headers),
    ];
    expect(second.body).toBe(first.body);
  });
});

test("a late instalment is overdue after its grace, bears one late fee, and can be made good", async () => {
  const id = await lend({ tenure: "6" });
  await advance({ days: 33 });
  const { loan_details } = await read(id);
  expect(loan_details).toMatchObject({ status: 7, status_text: "overdue" });
  expect(loan_details.repayment_schedules[0]).toMatchObject({ status: "overdue", late_fee: 248, balance: 25048 });
  expect(loan_details.balance).toBe(loan_details.total_repayment + 248);
  await advance({ days: 5 });
  expect((await read(id)).loan_details.balance).toBe(loan_details.balance);
  const reply = await repay(id, { amount: 25048 });
  expect(reply.json().data.allocation).toMatchObject({ fees: 248, interest: 4800, principal: 20000 });
  expect((await read(id)).loan_request.status).toBe("active");
  expect((await heard(id)).slice(-2)).toEqual(["loan.overdue", "loan.repayment.successful"]);
});
