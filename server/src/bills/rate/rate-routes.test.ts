import { beforeAll, describe, expect, test } from "vitest";
import { createBillsApp, freshReference } from "../../../testing/payments/bills-app.ts";
import { asOwner } from "../../../testing/work.ts";
import { inEnvironment, operatorScope } from "../../platform/database/database.ts";
import { verifyRates } from "../verify-bills.ts";

const { call, operate, vend, db, merchant, ownerUrl } = await createBillsApp();

const path = "/operator/bills/rates";
const inMinutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString();
const soon = inMinutes(10);
const body = {
  category: "airtime",
  version: 2,
  effectiveFrom: soon,
  commissionPercent: 3.25,
  fee: 10,
  source: "Agreement of 3 November",
  reason: "New agreement",
};
const publish = (change: object = {}, headers = {}) => operate("POST", path, { ...body, ...change }, headers);
const list = async (category: string) =>
  (await operate("GET", path)).json().data.filter((rate: { category: string }) => rate.category === category);

describe("a published rate", () => {
  // Servers remember rates for a minute; this one reads them for the first time below.
  beforeAll(async () => {
    const reply = await publish();
    expect(reply.statusCode, reply.body).toBe(201);
    expect(reply.json().data).toEqual({ ...body, reason: undefined, inForce: false });
  });

  test("is listed after what counts now, with its source", async () => {
    expect(await list("airtime")).toEqual([
      { ...body, reason: undefined, inForce: false },
      expect.objectContaining({ version: 1, commissionPercent: 2.5, fee: 0, inForce: true }),
    ]);
  });

  test("charges bills from its date on and none before", async () => {
    const before = (await vend("airtime")).json().data;
    expect(before).toMatchObject({ amount: 1000, fee: 0, commission: 25 });
    await call("POST", "/sandbox/clock/advance", { body: { seconds: 660 } });
    expect((await vend("airtime")).json().data).toMatchObject({ amount: 1000, fee: 10, commission: 32.5 });
    const { reference } = before;
    expect((await call("POST", "/bills/status", { body: { reference } })).json().data).toMatchObject({ fee: 0 });
    const again = (await vend("airtime", { reference })).json().data;
    expect(again).toMatchObject({ id: before.id, fee: 0, commission: 25 });
  });

  test("is in the audit trail", async () => {
    const { data } = (await operate("GET", "/operator/audit?limit=100")).json();
    const found = data.find(({ action }: { action: string }) => action === "bill_rate.publish");
    expect(found).toMatchObject({
      subjectId: "airtime/2",
      detail: { category: "airtime", commissionPercent: 3.25, fee: 10, reason: "New agreement", effectiveFrom: soon },
    });
  });

  test("is found again; other content or another number is refused", async () => {
    const again = await publish();
    expect([again.statusCode, again.headers["idempotent-replayed"]]).toEqual([200, "true"]);
    for (const change of [{ fee: 11 }, { version: 1 }, { version: 4 }]) {
      const reply = await publish(change);
      expect([reply.statusCode, reply.json().code, reply.json().data]).toEqual([
        409,
        "version_conflict",
        { latestVersion: 2 },
      ]);
    }
  });
});

describe("publishing", () => {
  const tv = { category: "tv", commissionPercent: 2, fee: 0 };

  test("is done by one of two operators at once, and once under one Idempotency-Key", async () => {
    const both = await Promise.all([publish({ ...tv, fee: 5 }), publish({ ...tv, fee: 6 })]);
    expect(both.map((reply) => reply.statusCode).sort()).toEqual([201, 409]);
    const headers = { "idempotency-key": freshReference() };
    const first = await publish({ ...tv, version: 3 }, headers);
    expect((await publish({ ...tv, version: 3 }, headers)).body).toBe(first.body);
  });

  test("again for the same date replaces what was planned by mistake", async () => {
    const data = { category: "data", commissionPercent: 3 };
    await publish(data);
    await publish({ ...data, version: 3, commissionPercent: 2.5, fee: 0 });
    await call("POST", "/sandbox/clock/advance", { body: { seconds: 660 } });
    const [planned] = await list("data");
    expect(planned).toMatchObject({ version: 3, commissionPercent: 2.5 });
  });

  test("a figure ten times as large must be confirmed", async () => {
    const reply = await publish({ category: "electricity", commissionPercent: 10 });
    expect([reply.statusCode, reply.json().code, reply.json().data]).toEqual([
      422,
      "large_change",
      { fields: ["commissionPercent"] },
    ]);
    const meant = { category: "electricity", commissionPercent: 10, confirmLargeChanges: true };
    expect((await publish(meant)).statusCode).toBe(201);
  });

  test.each([
    [{ effectiveFrom: inMinutes(-1) }, "effectiveFrom"],
    [{ effectiveFrom: inMinutes(4) }, "effectiveFrom"],
    [{ effectiveFrom: "2062-01-01T00:00:00Z" }, "effectiveFrom"],
    [{ category: "water" }, "category"],
    [{ commissionPercent: 100.5 }, "commissionPercent"],
    [{ commissionPercent: 2.125 }, "commissionPercent"],
    [{ fee: -1 }, "fee"],
    [{ source: " " }, "source"],
  ])("%j is refused", async (change, field) => {
    const reply = await publish({ category: "betting", ...change });
    expect([reply.statusCode, reply.json().errors[0]?.field]).toEqual([422, field]);
  });

  test("is nothing for merchants, and nothing for the past even for who can write", async () => {
    expect((await call("GET", path)).statusCode).toBe(401);
    const insert = (scope: string, effective: string) =>
      inEnvironment(db, scope, (tx) =>
        tx
          .insertInto("bill_rates")
          .values({
            category: "betting",
            version: 9,
            effective_from: new Date(effective),
            commission_basis_points: 9_999,
            source: "mine",
          })
          .execute(),
      );
    await expect(insert(merchant.environment.id, soon)).rejects.toMatchObject({ code: "42501" });
    await expect(insert(operatorScope, "2026-01-01")).rejects.toMatchObject({ code: "23514" });
  });
});

test("verify names live bills that were charged otherwise", async () => {
  const bill = (await vend("airtime")).json().data.id;
  const { id } = merchant.environment;
  expect(await inEnvironment(db, id, verifyRates)).toEqual([]);
  // No live biller is connected here: a sandbox's bills count as live for the length of this check.
  await asOwner(
    ownerUrl,
    `update environments set kind = 'LIVE' where id = '${id}';
     update bills set created_at = now() where environment_id = '${id}';
     update bills set fee = 0, commission = 2500 where environment_id = '${id}'`,
  );
  expect(await inEnvironment(db, id, verifyRates)).toEqual([]);
  await asOwner(ownerUrl, `update bills set commission = commission + 1 where id = '${bill}'`);
  expect(await inEnvironment(db, id, verifyRates)).toEqual([
    { check: "bill is charged by the rate of its day", subject: bill, expected: "0 and 2500", found: "0 and 2501" },
  ]);
});
