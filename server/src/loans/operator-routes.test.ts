import { beforeAll, describe, expect, test } from "vitest";
import { issueLiveKeyFor } from "../../testing/keys.ts";
import { emptyFunding, moveFunding } from "../../testing/lending/funding.ts";
import { application, createLendingApp } from "../../testing/lending/loans.ts";
import { inEnvironment } from "../platform/database/database.ts";

const testing = await createLendingApp();
const { call, operate, request, read, advance, heard, lend } = testing;

const unknownId = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11";
const reason = { reason: "Ticket 4711" };
const decide = (id: string, way: string, body: unknown = reason, headers = {}) =>
  operate("POST", `/operator/loans/${id}/${way}`, body, headers);

async function newestAudit(): Promise<Record<string, unknown>> {
  return (await operate("GET", "/operator/audit?limit=1")).json().data[0];
}

let liveKey: string;
beforeAll(async () => {
  liveKey = await issueLiveKeyFor(testing.db, testing.merchant.merchant.id);
});

async function paid(id: string): Promise<string> {
  await call("POST", "/sandbox/wallets/fund", { body: { amount: 20_000 } });
  const body = { amount: 20_000, reference: `paid-${id}`, channel: "wallet" };
  const reply = await call("POST", `/loans/${id}/repayments`, { body });
  expect(reply.statusCode, reply.body).toBe(201);
  return reply.json().data.id;
}

describe("a repayment that was not made", () => {
  test("is reversed by an operator, once, and the merchant hears of it", async () => {
    const id = await lend();
    const [repaymentId, owed] = [await paid(id), 177_600];
    const replies = [
      await decide(id, `repayments/${repaymentId}/reverse`),
      await decide(id, `repayments/${repaymentId}/reverse`, { reason: "Again" }),
    ];
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(replies[1]?.headers["idempotent-replayed"]).toBe("true");
    expect(replies[1]?.json().data).toMatchObject({ status: "reversed", reversal_reason: "Ticket 4711" });
    expect((await read(id)).loan_details.balance).toBe(owed);
    expect((await heard(id)).slice(-1)).toEqual(["loan.repayment.failed"]);
    expect(await newestAudit()).toMatchObject({
      action: "loan.reverse_repayment",
      subjectId: id,
      detail: { repaymentId, amount: 20_000, channel: "wallet", reason: "Ticket 4711" },
    });
  });

  test("stays when its money was lent again, whoever reverses it, until the lender is funded", async () => {
    const id = await lend();
    const repaymentId = await paid(id);
    const { environment } = testing.merchant;
    const funds = await inEnvironment(testing.db, environment.id, emptyFunding);
    const path = `repayments/${repaymentId}/reverse`;
    const replies = [await decide(id, path), await call("POST", `/loans/${id}/${path}`, { body: reason })];
    for (const reply of replies) expect([reply.statusCode, reply.json().code]).toEqual([422, "lender_funds_short"]);
    await inEnvironment(testing.db, environment.id, (tx) => moveFunding(tx, funds));
    expect((await decide(id, path)).statusCode).toBe(200);
  });

  test("is found by the ids of its loan and its own only", async () => {
    const id = await lend();
    const repaymentId = await paid(id);
    const back = { amount: 1_000, reference: `more-${id}`, channel: "wallet" };
    expect((await decide(id, `repayments/${unknownId}/reverse`)).json().code).toBe("repayment_not_found");
    expect((await decide(unknownId, `repayments/${repaymentId}/reverse`)).json().code).toBe("loan_not_found");
    await call("POST", "/sandbox/wallets/fund", { body: { amount: 500_000 } });
    const whole = await call("POST", `/loans/${id}/repayments`, { body: { ...back, amount: 500_000 } });
    await call("POST", `/loans/${id}/credit/refund`, { body: { ...back, amount: 300_000 } });
    const late = await decide(id, `repayments/${whole.json().data.id}/reverse`);
    expect([late.statusCode, late.json().code]).toEqual([409, "repayment_refunded"]);
  });
});

async function readLive(id: string) {
  return (await call("GET", `/loans/${id}`, { key: liveKey })).json().data;
}

describe("an operator", () => {
  test("decides about a live loan, which waits, and the trail says who and why", async () => {
    const id = await request({}, liveKey);
    expect((await readLive(id)).loan_request).toMatchObject({ status: "pending", environment: "LIVE" });
    const reply = await decide(id, "approve");
    expect(reply.statusCode, reply.body).toBe(200);
    expect(reply.json()).toMatchObject({ status: true, data: { loan_request: { id, status: "approved" } } });
    expect(await newestAudit()).toMatchObject({
      action: "loan.approve",
      subjectType: "loan",
      subjectId: id,
      detail: { reason: "Ticket 4711" },
    });
    expect((await readLive(id)).loan_request.status).toBe("approved");
  });

  test("does not see BVN and NIN in full", async () => {
    const id = await request({}, liveKey);
    const { data } = (await decide(id, "reject")).json();
    expect(data.loan_request.daas_user).toMatchObject({ bvn: "*******6789", nin: "*******8901" });
    expect(data.loan_details.user.bvn).toBe("*******6789");
    expect((await readLive(id)).loan_request).toMatchObject({
      status: "rejected",
      daas_user: { bvn: application.bvn },
    });
  });

  test("cannot have a live loan paid out while no bank is connected", async () => {
    const id = await request({}, liveKey);
    await decide(id, "approve");
    const reply = await decide(id, "disburse");
    expect([reply.statusCode, reply.json().code]).toEqual([503, "rail_not_configured"]);
    expect((await readLive(id)).loan_request.status).toBe("approved");
  });

  test("pays out again what has failed too often", async () => {
    const id = await request({ account_number: "0000000000" });
    await advance({ days: 10 });
    const reply = await decide(id, "disburse");
    expect(reply.statusCode, reply.body).toBe(200);
    expect(await newestAudit()).toMatchObject({ action: "loan.disburse", subjectId: id });
    expect((await decide(id, "disburse")).json().code).toBe("loan_being_disbursed");
  });

  test("pays out neither what is not approved nor what the lender has no money for", async () => {
    const undecided = await request();
    expect((await decide(undecided, "disburse")).json().code).toBe("invalid_state");
    const poor = await createLendingApp();
    await inEnvironment(poor.db, poor.merchant.environment.id, emptyFunding);
    const id = await poor.request();
    await poor.operate("POST", `/operator/loans/${id}/approve`, reason);
    const reply = await poor.operate("POST", `/operator/loans/${id}/disburse`, reason);
    expect(reply.json().code).toBe("insufficient_funds");
    expect((await poor.call("POST", `/sandbox/loans/${id}/disburse`)).json().code).toBe("insufficient_funds");
    expect((await poor.read(id)).loan_request.status).toBe("approved");
  });

  test("writes an overdue loan off, and no other", async () => {
    const id = await lend();
    const early = await decide(id, "write-off");
    expect([early.statusCode, early.json().code, early.json().data]).toEqual([
      409,
      "invalid_state",
      { status: "active" },
    ]);
    await advance({ days: 40 });
    const reply = await decide(id, "write-off");
    expect(reply.statusCode, reply.body).toBe(200);
    expect(await read(id)).toMatchObject({
      loan_request: { status: "written_off" },
      loan_details: { status: 9, status_text: "written_off" },
    });
    expect(await newestAudit()).toMatchObject({ action: "loan.write_off", subjectId: id });
    await advance({ days: 400 });
    expect((await heard(id)).at(-1)).toBe("loan.overdue");
  });

  test.each(["approve", "reject", "disburse", "write-off"])(
    "must say why to %s, about a loan that exists",
    async (way) => {
      const id = await request();
      for (const body of [{}, { reason: " " }, { reason: 1 }]) {
        const reply = await decide(id, way, body);
        expect([reply.statusCode, reply.json().errors[0].field]).toEqual([422, "reason"]);
      }
      for (const wrong of [unknownId, "no-uuid"]) {
        const reply = await decide(wrong, way);
        expect([reply.statusCode, reply.json().code]).toEqual([404, "loan_not_found"]);
      }
    },
  );

  test("cannot decide twice; a repeated key answers as before, and one of two at once wins", async () => {
    const id = await request();
    const headers = { "idempotency-key": "decide-once" };
    const [first, second] = [
      await decide(id, "approve", reason, headers),
      await decide(id, "approve", reason, headers),
    ];
    expect(second.body).toBe(first.body);
    for (const way of ["reject", "approve"]) expect((await decide(id, way)).json().code).toBe("invalid_state");
    const other = await request();
    const twins = await Promise.all([decide(other, "approve"), decide(other, "reject")]);
    expect(twins.map((reply) => reply.statusCode).sort()).toEqual([200, 409]);
  });

  test("is nobody with a merchant's key", async () => {
    const id = await request();
    const reply = await call("POST", `/operator/loans/${id}/approve`, { body: reason });
    expect(reply.statusCode).toBe(401);
  });
});

test("a live key cannot steer a sandbox's loans", async () => {
  const id = await request({}, liveKey);
  const reply = await call("POST", `/sandbox/loans/${id}/approve`, { key: liveKey });
  expect([reply.statusCode, reply.json().code]).toEqual([403, "sandbox_only"]);
});
