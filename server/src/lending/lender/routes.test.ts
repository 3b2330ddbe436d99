import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { createMerchant } from "../../../testing/factories.ts";
import { issueLiveKeyFor } from "../../../testing/keys.ts";
import { application, createLendingApp } from "../../../testing/lending/loans.ts";
import { asOwner } from "../../../testing/work.ts";
import { inEnvironment } from "../../platform/database/database.ts";
import { house } from "../../start/slices.ts";

const testing = await createLendingApp();
const { db, call, operate } = testing;

let live: string;
let liveKey: string;

beforeEach(async () => {
  const { merchant } = await createMerchant(db);
  liveKey = await issueLiveKeyFor(db, merchant.id);
  live = await liveOf(merchant.id);
});

async function liveOf(merchantId: string): Promise<string> {
  const { data } = (await operate("GET", "/operator/merchants?limit=100")).json();
  const found = data.find(({ id }: { id: string }) => id === merchantId);
  return found.environments.find(({ kind }: { kind: string }) => kind === "LIVE").id;
}

const body = {
  amount: 1_000_000,
  reference: "in-1",
  reason: "First money of the lender",
  evidence: "Session 8812",
  fundedAfter: 1_000_000,
};
const out = { amount: 400_000, reference: "out-1", reason: "Not needed", evidence: "Order 17", fundedAfter: 600_000 };
const move = (way: string, sent: object, id = live, headers = {}) =>
  operate("POST", `/operator/environments/${id}/lender/${way}`, sent, headers);
const deposit = (change: object = {}, id = live) => move("deposits", { ...body, ...change }, id);
const withdraw = (change: object = {}, id = live) => move("withdrawals", { ...out, ...change }, id);
const funds = async (id = live) => (await operate("GET", `/operator/environments/${id}/lender`)).json().data;
const movements = async (id = live) =>
  (await operate("GET", `/operator/environments/${id}/lender/movements`)).json().data;
const verify = (id = live) => inEnvironment(db, id, (tx) => house.verify(tx));
const audited = async () =>
  (await operate("GET", "/operator/audit?limit=100"))
    .json()
    .data.filter(
      (entry: { action: string; environmentId: string }) =>
        entry.action.startsWith("lender.") && entry.environmentId === live,
    );

async function approve(amount: string): Promise<string> {
  const { id } = (await call("POST", "/loans/create", { key: liveKey, body: { ...application, amount } })).json().data;
  expect((await operate("POST", `/operator/loans/${id}/approve`, { reason: "Checked" })).statusCode).toBe(200);
  return id;
}

describe("the lender's funds of a live environment", () => {
  test("are empty at first, filled by a deposit and shown with every place that money can be in", async () => {
    const empty = { available: 0, held: 0, lent: 0, funded: 0, promised: 0, withdrawable: 0 };
    expect(await funds()).toMatchObject({ environmentId: live, environment: "LIVE", ...empty });
    const reply = await deposit();
    expect(reply.statusCode, reply.body).toBe(201);
    expect(reply.json().data).toMatchObject({ ...body, direction: "deposit", currency: "NGN" });
    expect(await funds()).toMatchObject({ available: 1_000_000, funded: 1_000_000, withdrawable: 1_000_000 });
    expect(await audited()).toMatchObject([
      {
        action: "lender.deposit",
        subjectType: "lender_movement",
        subjectId: reply.json().data.id,
        detail: { amount: "1000000.00", reference: "in-1", evidence: "Session 8812", fundedAfter: "1000000.00" },
      },
    ]);
    expect(await verify()).toEqual([]);
  });

  test("are taken out again, and the list has every movement, newest first", async () => {
    await deposit();
    expect((await withdraw()).statusCode).toBe(201);
    expect(await funds()).toMatchObject({ available: 600_000, funded: 600_000 });
    expect((await movements()).map(({ reference }: { reference: string }) => reference)).toEqual(["out-1", "in-1"]);
    expect(await verify()).toEqual([]);
  });

  test("are never taken below zero", async () => {
    await deposit();
    const reply = await withdraw({ amount: 1_000_000.01, fundedAfter: 0 });
    expect([reply.statusCode, reply.json().code]).toEqual([422, "insufficient_funds"]);
    expect((await withdraw({ amount: 1_000_000, fundedAfter: 0 })).statusCode).toBe(201);
  });

  test("are never taken below what approved loans wait for, until those are cancelled", async () => {
    await deposit();
    const id = await approve("700000");
    expect(await funds()).toMatchObject({ available: 1_000_000, promised: 700_000, withdrawable: 300_000 });
    const refused = await withdraw({ amount: 300_000.01, fundedAfter: 699_999.99 });
    expect([refused.statusCode, refused.json().code]).toEqual([422, "lender_funds_promised"]);
    expect(refused.json().data).toEqual({ available: 1_000_000, promised: 700_000, withdrawable: 300_000 });
    expect((await withdraw({ amount: 300_000, fundedAfter: 700_000 })).statusCode).toBe(201);
    await call("POST", `/loans/${id}/cancel`, { key: liveKey, body: {} });
    expect(await funds()).toMatchObject({ promised: 0, withdrawable: 700_000 });
    const rest = { amount: 700_000, reference: "out-2", evidence: "Order 18", fundedAfter: 0 };
    expect((await withdraw(rest)).statusCode).toBe(201);
    expect(await verify()).toEqual([]);
  });

  test("that fall short of what is promised can still be filled", async () => {
    await approve("700000");
    expect(await funds()).toMatchObject({ available: 0, promised: 700_000, withdrawable: 0 });
    expect((await deposit({ amount: 500, fundedAfter: 500 })).statusCode).toBe(201);
    expect((await withdraw({ amount: 500, fundedAfter: 0 })).json().data).toEqual({
      available: 500,
      promised: 700_000,
      withdrawable: 0,
    });
  });
});

describe("a movement", () => {
  test("whose amount does not lead to the expected figure is refused and leaves its reference free", async () => {
    const slip = await deposit({ amount: 100_000_000 });
    expect([slip.statusCode, slip.json().code]).toEqual([409, "lender_funds_differ"]);
    expect(slip.json().data).toEqual({ fundedAfter: 100_000_000, expected: 1_000_000 });
    expect([await movements(), await audited()]).toEqual([[], []]);
    expect((await deposit()).statusCode).toBe(201);
    expect((await withdraw({ fundedAfter: 400_000 })).json().code).toBe("lender_funds_differ");
  });

  test("is found again by its reference; other content is a conflict that names the fields", async () => {
    const first = await deposit();
    const again = await deposit();
    expect([again.statusCode, again.headers["idempotent-replayed"]]).toEqual([200, "true"]);
    expect(again.json().data).toEqual(first.json().data);
    const larger = await deposit({ amount: 2_000_000 });
    expect([larger.statusCode, larger.json().code]).toEqual([409, "reference_conflict"]);
    expect(larger.json().data).toEqual({ fields: ["amount"] });
    const other = await withdraw({ ...out, reference: "in-1" });
    expect([other.statusCode, other.json().code]).toEqual([409, "reference_conflict"]);
    expect(other.json().data).toEqual({ fields: ["direction", "amount", "reason", "evidence", "fundedAfter"] });
    await withdraw();
    const repeated = await withdraw();
    expect([repeated.statusCode, (await movements()).length, (await audited()).length]).toEqual([200, 2, 2]);
  });

  test("needs evidence of its own, however it is written", async () => {
    await deposit();
    const change = { reference: "in-2", evidence: " SESSION 8812 ", fundedAfter: 2_000_000 };
    const reply = await deposit(change);
    expect([reply.statusCode, reply.json().code, reply.json().data]).toEqual([
      409,
      "evidence_used",
      { reference: "in-1" },
    ]);
    expect((await withdraw({ evidence: "session 8812" })).json().code).toBe("evidence_used");
    expect((await deposit({ ...change, evidence: "Session 8813" })).statusCode).toBe(201);
  });

  test("of twenty twins at once is made once", async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => deposit()));
    expect(replies.map((reply) => reply.statusCode).sort()).toEqual([...Array(19).fill(200), 201]);
    expect(await funds()).toMatchObject({ funded: 1_000_000 });
    expect(await audited()).toHaveLength(1);
  });

  test("of two operators at once is made by one; the other sees that something has changed", async () => {
    await deposit();
    const replies = await Promise.all([
      withdraw({ amount: 600_000, fundedAfter: 400_000, reference: "a", evidence: "A" }),
      withdraw({ amount: 600_000, fundedAfter: 400_000, reference: "b", evidence: "B" }),
    ]);
    expect(replies.map((reply) => reply.statusCode).sort()).toEqual([201, 422]);
    const both = await Promise.all([
      deposit({ amount: 5, fundedAfter: 400_005, reference: "c", evidence: "C" }),
      deposit({ amount: 5, fundedAfter: 400_005, reference: "d", evidence: "D" }),
    ]);
    expect(both.map((reply) => reply.json().code).sort()).toEqual(["lender_funds_differ", undefined]);
    expect(await verify()).toEqual([]);
  });

  test("is replayed by its Idempotency-Key", async () => {
    const headers = { "idempotency-key": `lender-${live}` };
    const first = await move("deposits", body, live, headers);
    expect((await move("deposits", body, live, headers)).body).toBe(first.body);
    expect(await funds()).toMatchObject({ funded: 1_000_000 });
  });

  test("belongs to its environment: another one has its own references, evidence and money", async () => {
    await deposit();
    const other = await createMerchant(db);
    await issueLiveKeyFor(db, other.merchant.id);
    const elsewhere = await liveOf(other.merchant.id);
    expect((await deposit({}, elsewhere)).statusCode).toBe(201);
    expect(await funds()).toMatchObject({ funded: 1_000_000 });
  });

  test.each(["01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11", "no-uuid"])("of the environment %s is not found", async (id) => {
    const replies = [
      await deposit({}, id),
      await withdraw({}, id),
      await operate("GET", `/operator/environments/${id}/lender`),
      await operate("GET", `/operator/environments/${id}/lender/movements`),
    ];
    for (const reply of replies) {
      expect([reply.statusCode, reply.json().code]).toEqual([404, "environment_not_found"]);
    }
  });

  test.each([
    [{ amount: 0 }, "amount"],
    [{ amount: -5 }, "amount"],
    [{ amount: 10.001 }, "amount"],
    [{ amount: "1000" }, "amount"],
    [{ evidence: " " }, "evidence"],
    [{ reason: " " }, "reason"],
    [{ reference: "" }, "reference"],
    [{ fundedAfter: undefined }, "fundedAfter"],
    [{ fundedAfter: -1 }, "fundedAfter"],
  ])("with %j is refused", async (change, field) => {
    for (const reply of [await deposit(change), await withdraw(change)]) {
      expect([reply.statusCode, reply.json().errors[0].field]).toEqual([422, field]);
    }
  });
});

describe("npm run verify", () => {
  test("names a movement that the ledger does not have, and one that does not follow", async () => {
    await deposit();
    await asOwner(
      testing.ownerUrl,
      `alter table lender_movements no force row level security;
       insert into lender_movements select environment_id, gen_random_uuid(), 2, direction, 77, 'forged', reason,
         'forged', funded_after, created_at from lender_movements where environment_id = '${live}';
       alter table lender_movements force row level security`,
    );
    expect((await verify()).map(({ check, expected, found }) => [check, expected, found])).toEqual([
      ["lender movement is in the ledger", "77", "no posting"],
      ["lender movement follows the one before", "100000077", "100000000"],
    ]);
  });

  test("names money that is neither available nor held nor lent", async () => {
    await deposit();
    await asOwner(
      testing.ownerUrl,
      `alter table accounts no force row level security;
       update accounts set balance = balance - 100 where environment_id = '${live}' and purpose = 'lender_funding';
       alter table accounts force row level security`,
    );
    const found = await verify();
    expect(found.map(({ check }) => check)).toContain("lender's money is available, held or lent");
  });

  test("has nothing to change: rows of movements are for ever", async () => {
    await deposit();
    const change = inEnvironment(db, live, (tx) => sql`update lender_movements set amount = 1`.execute(tx));
    await expect(change).rejects.toMatchObject({ code: "42501" });
  });
});
