import { describe, expect, test } from "vitest";
import { createLendingApp, heardBy } from "../../testing/lending/loans.ts";
import { readBalances } from "../ledger/balance.ts";
import { verifyLedger } from "../ledger/verify.ts";
import { lenderFundingId } from "../lending/account/loan-account.ts";
import { readEnvironment } from "../platform/database/database.ts";

const testing = await createLendingApp();
const { call, request, read, advance, heard, lend } = testing;
const environmentId = testing.merchant.environment.id;

const steer = (id: string, way: string, headers: Readonly<Record<string, string>> = {}) =>
  call("POST", `/sandbox/loans/${id}/${way}`, { headers });

const statusOf = async (id: string) => (await read(id)).loan_request.status;

const paidOut = ["loan.created", "loan.approved", "loan.disbursed"];

async function funding(): Promise<bigint> {
  const id = lenderFundingId(environmentId);
  const balances = await readEnvironment(testing.db, environmentId, (tx) => readBalances(tx, [id]));
  return balances.get(id) ?? 0n;
}

async function disbursementOf(id: string): Promise<{ id: string; status: string; reference: string } | undefined> {
  const { loan_request } = await read(id);
  return readEnvironment(testing.db, environmentId, (tx) =>
    tx
      .selectFrom("transfers")
      .select(["id", "status", "reference"])
      .where("environment_id", "=", environmentId)
      .where("reference", "like", `${loan_request.reference}%`)
      .orderBy("created_at", "desc")
      .executeTakeFirst(),
  );
}

describe("a sandbox by itself", () => {
  test("approves after two seconds, pays out two seconds later, and the money leaves the lender", async () => {
    const before = await funding();
    const id = await request({ amount: "50000" });
    await advance({ seconds: 1 });
    expect(await statusOf(id)).toBe("pending");
    await advance({ seconds: 1 });
    expect(await statusOf(id)).toBe("approved");
    expect(await funding()).toBe(before);
    await advance({ seconds: 2 });
    expect(await statusOf(id)).toBe("active");
    expect(await funding()).toBe(before - 5_000_000n);
    expect(await heard(id)).toEqual(paidOut);
    expect(await readEnvironment(testing.db, environmentId, verifyLedger)).toEqual([]);
  });

  test("rejects a BVN that ends with 0000", async () => {
    const id = await request({ bvn: "22123450000" });
    await advance({ seconds: 10 });
    expect(await read(id)).toMatchObject({
      loan_request: { status: "rejected" },
      loan_details: { status: 6, status_text: "rejected", balance: 0, to_repay: 0, approved_date: null },
    });
    expect(await heard(id)).toEqual(["loan.created", "loan.rejected"]);
  });
});

describe("a disbursement", () => {
  test("is no transfer of the merchant's: not listed, not found, not announced, without a fee", async () => {
    const id = await lend();
    const transfer = await disbursementOf(id);
    expect(transfer?.status).toBe("completed");
    for (const query of ["", "?status=completed", "?from=2026-01-01"]) {
      const listed = await call("GET", `/transfers${query}`);
      expect(listed.json()).toMatchObject({ data: [], pagination: { totalItems: 0 } });
    }
    const found = await Promise.all([
      call("GET", `/transfers/${transfer?.id}`),
      call("GET", `/transfers/verify?reference=${transfer?.reference}`),
      call("POST", `/sandbox/transfers/${transfer?.id}/reverse`),
    ]);
    expect(found.map((reply) => reply.statusCode)).toEqual([404, 404, 404]);
    expect(await heardBy(testing, environmentId, transfer?.id ?? "")).toEqual([]);
    const balance = await call("GET", "/wallets/balance");
    expect(balance.json().data).toMatchObject({ available: 0, held: 0 });
  });

  test("that fails leaves the loan approved, gives the money back and is tried again by itself", async () => {
    const before = await funding();
    const id = await request({ account_number: "0000000000" });
    await advance({ seconds: 5 });
    expect(await statusOf(id)).toBe("approved");
    expect(await disbursementOf(id)).toMatchObject({ status: "failed" });
    expect(await funding()).toBe(before);
    await advance({ days: 30 });
    const { loan_request } = await read(id);
    expect(await disbursementOf(id)).toMatchObject({ status: "failed", reference: `${loan_request.reference}-5` });
    expect(await heard(id)).toEqual(["loan.created", "loan.approved"]);
  });

  test("that failed because the bank was down succeeds when it is up again", async () => {
    await call("PUT", "/sandbox/banks/033/health", { body: { status: "down" } });
    const id = await request({ bank_code: "033" });
    await advance({ seconds: 5 });
    expect((await read(id)).loan_request).toMatchObject({ status: "approved", bank_name: null, account_name: null });
    await advance({ seconds: 1_200 });
    expect(await disbursementOf(id)).toMatchObject({ status: "failed" });
    await call("PUT", "/sandbox/banks/033/health", { body: { status: "up" } });
    expect((await steer(id, "disburse")).statusCode).toBe(200);
    expect((await read(id)).loan_request).toMatchObject({ status: "active", bank_name: "United Bank for Africa" });
    expect(await heard(id)).toEqual(paidOut);
  });

  test("is made once when two ask for it at once", async () => {
    const id = await request();
    await steer(id, "approve");
    const replies = await Promise.all([steer(id, "disburse"), steer(id, "disburse")]);
    expect(replies.map((reply) => reply.statusCode).sort()).toEqual([200, 409]);
    expect(await statusOf(id)).toBe("active");
    expect(await heard(id)).toEqual(paidOut);
  });
});

describe("sandbox control", () => {
  test("approves any pending loan at once", async () => {
    const id = await request({ bvn: "22123450000" });
    const reply = await steer(id, "approve");
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toMatchObject({ status: true, data: { loan_request: { id, status: "approved" } } });
    await advance({ seconds: 2 });
    expect(await statusOf(id)).toBe("active");
  });

  test("rejects a pending loan at once, and no later decision comes", async () => {
    const id = await request();
    expect((await steer(id, "reject")).statusCode).toBe(200);
    await advance({ seconds: 10 });
    expect(await heard(id)).toEqual(["loan.created", "loan.rejected"]);
  });

  test.each([
    ["approve", "active"],
    ["reject", "active"],
    ["disburse", "active"],
  ])("refuses to %s a loan that is %s", async (way, status) => {
    const id = await lend();
    const reply = await steer(id, way);
    expect([reply.statusCode, reply.json().code, reply.json().data]).toEqual([409, "invalid_state", { status }]);
  });

  test("refuses to disburse a loan that nobody approved", async () => {
    const reply = await steer(await request(), "disburse");
    expect([reply.statusCode, reply.json().code]).toEqual([409, "invalid_state"]);
  });

  test.each(["approve", "reject", "disburse"])("to %s another merchant's loan finds nothing", async (way) => {
    const theirs = await request({}, testing.otherMerchant.secretKey);
    const reply = await steer(theirs, way);
    expect([reply.statusCode, reply.json().code]).toEqual([404, "loan_not_found"]);
  });

  test("repeated under one Idempotency-Key answers as before", async () => {
    const id = await request();
    const headers = { "idempotency-key": "approve-once" };
    const [first, second] = [await steer(id, "approve", headers), await steer(id, "approve", headers)];
    expect([first.statusCode, second.statusCode]).toEqual([200, 200]);
    expect(second.body).toBe(first.body);
  });
});

describe("POST /loans/{id}/cancel", () => {
  const cancel = (id: string, headers: Readonly<Record<string, string>> = {}) =>
    call("POST", `/loans/${id}/cancel`, { headers });

  test.each(["pending", "approved"])("takes a %s loan back, and nothing happens to it any more", async (status) => {
    const id = await request();
    if (status === "approved") await steer(id, "approve");
    const reply = await cancel(id);
    expect(reply.statusCode, reply.body).toBe(200);
    expect(reply.json()).toMatchObject({ status: "success", data: { loan_request: { status: "cancelled" } } });
    await advance({ days: 2 });
    expect(await read(id)).toMatchObject({ loan_details: { status: 8, status_text: "cancelled", balance: 0 } });
    expect((await heard(id)).at(-1)).toBe("loan.cancelled");
  });

  test("is refused a second time and for a loan that is out", async () => {
    const id = await request();
    await cancel(id);
    expect([(await cancel(id)).statusCode, (await cancel(await lend())).statusCode]).toEqual([409, 409]);
  });

  test("is refused while the money is on its way", async () => {
    await call("PUT", "/sandbox/banks/044/health", { body: { status: "down" } });
    const id = await request({ bank_code: "044" });
    await advance({ seconds: 5 });
    const reply = await cancel(id);
    expect([reply.statusCode, reply.json().code]).toEqual([409, "loan_being_disbursed"]);
    expect((await steer(id, "disburse")).json().code).toBe("loan_being_disbursed");
  });

  test("answers a repetition under the same Idempotency-Key, and one of two at once wins", async () => {
    const id = await request();
    const headers = { "idempotency-key": "cancel-once" };
    const [first, second] = [await cancel(id, headers), await cancel(id, headers)];
    expect(second.body).toBe(first.body);
    const other = await request();
    const twins = await Promise.all([cancel(other), cancel(other)]);
    expect(twins.map((reply) => reply.statusCode).sort()).toEqual([200, 409]);
  });
});
