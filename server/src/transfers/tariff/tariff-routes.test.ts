import { beforeAll, describe, expect, test } from "vitest";
import { createPayingApp, freshReference } from "../../../testing/payments/paying-app.ts";
import { asOwner } from "../../../testing/work.ts";
import { inEnvironment, operatorScope } from "../../platform/database/database.ts";
import { verifyTariffs } from "../verify-transfers.ts";

const { call, operate, pay, db, merchant, ownerUrl } = await createPayingApp();

const path = "/operator/transfers/tariffs";
const inMinutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString();
const soon = inMinutes(10);
const bands = [
  { upTo: 5_000, fee: 15 },
  { upTo: null, fee: 40 },
];
const figures = { bands, vatPercent: 10, stampDuty: 60, stampDutyFrom: 20_000, source: "New guide to charges" };
const body = { version: 2, effectiveFrom: soon, ...figures, reason: "New guide" };
const publish = (change: object = {}, headers = {}) => operate("POST", path, { ...body, ...change }, headers);
const list = async () => (await operate("GET", path)).json().data;
const fee = async (amount: number) => (await call("GET", `/transfers/fee?amount=${amount}`)).json().data;

describe("a published tariff", () => {
  // Servers remember tariffs for a minute; this one reads them for the first time below.
  beforeAll(async () => {
    const reply = await publish();
    expect(reply.statusCode, reply.body).toBe(201);
    expect(reply.json().data).toEqual({ version: 2, effectiveFrom: soon, ...figures, inForce: false });
  });

  test("is listed before what counts now", async () => {
    expect(await list()).toEqual([
      { version: 2, effectiveFrom: soon, ...figures, inForce: false },
      expect.objectContaining({ version: 1, vatPercent: 7.5, stampDuty: 50, inForce: true }),
    ]);
  });

  test("charges payouts from its date on and none before", async () => {
    expect(await fee(2_500.5)).toMatchObject({ fee: 10, vat: 0.75, stampDuty: 0 });
    const before = (await pay()).json().data;
    expect(before).toMatchObject({ fee: 10, vat: 0.75, stampDuty: 0 });
    await call("POST", "/sandbox/clock/advance", { body: { seconds: 660 } });
    expect((await pay()).json().data).toMatchObject({ fee: 15, vat: 1.5, stampDuty: 0 });
    expect(await fee(20_000)).toMatchObject({ fee: 40, vat: 4, stampDuty: 60, totalDebit: 20_104 });
    const again = (await pay({ reference: before.reference })).json().data;
    expect(again).toMatchObject({ id: before.id, fee: 10, vat: 0.75 });
  });

  test("is in the audit trail", async () => {
    const { data } = (await operate("GET", "/operator/audit?limit=1")).json();
    expect(data).toMatchObject([
      { action: "transfer_tariff.publish", subjectId: "2", detail: { reason: "New guide", effectiveFrom: soon } },
    ]);
  });

  test("is found again; other content or another number is refused", async () => {
    const again = await publish();
    expect([again.statusCode, again.headers["idempotent-replayed"]]).toEqual([200, "true"]);
    for (const change of [{ stampDuty: 61 }, { version: 1 }, { version: 4 }]) {
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
  test("is done by one of two operators at once, and once under one Idempotency-Key", async () => {
    const both = await Promise.all([publish({ version: 3, stampDuty: 70 }), publish({ version: 3, stampDuty: 71 })]);
    expect(both.map((reply) => reply.statusCode).sort()).toEqual([201, 409]);
    const headers = { "idempotency-key": freshReference() };
    const first = await publish({ version: 4 }, headers);
    expect((await publish({ version: 4 }, headers)).body).toBe(first.body);
    // The last word for one date counts.
    expect((await list())[0]).toMatchObject({ version: 4, stampDuty: 60 });
  });

  test("a figure ten times as large must be confirmed", async () => {
    const dear = { version: 5, stampDuty: 600, bands: [{ upTo: null, fee: 150 }] };
    const reply = await publish(dear);
    expect([reply.statusCode, reply.json().code]).toEqual([422, "large_change"]);
    expect(reply.json().data.fields.sort()).toEqual(["bands[0].fee", "stampDuty"]);
    expect((await publish({ ...dear, confirmLargeChanges: true })).statusCode).toBe(201);
  });

  test.each([
    [{ effectiveFrom: inMinutes(-1) }, "effectiveFrom"],
    [{ effectiveFrom: inMinutes(4) }, "effectiveFrom"],
    [{ effectiveFrom: "2062-01-01T00:00:00Z" }, "effectiveFrom"],
    [{ bands: [] }, "bands"],
    [{ bands: [{ upTo: 5_000, fee: 10 }] }, "bands[0].upTo"],
    [{ bands: [{ upTo: null, fee: 10 }, ...bands] }, "bands[0].upTo"],
    [{ bands: [bands[0], bands[0], bands[1]] }, "bands[1].upTo"],
    [{ vatPercent: 7.55 }, "vatPercent"],
    [{ stampDuty: -1 }, "stampDuty"],
    [{ source: "" }, "source"],
  ])("%j is refused", async (change, field) => {
    const reply = await publish({ version: (await list()).length + 1, ...change });
    expect([reply.statusCode, reply.json().errors[0]?.field]).toEqual([422, field]);
  });

  test("is nothing for merchants, and nothing for the past even for those who can write", async () => {
    expect((await call("GET", path)).statusCode).toBe(401);
    const insert = (scope: string, effective: string) =>
      inEnvironment(db, scope, (tx) =>
        tx
          .insertInto("transfer_tariffs")
          .values({
            version: 99,
            effective_from: new Date(effective),
            bands: "[]",
            vat_per_mille: 0,
            stamp_duty: 0n,
            stamp_duty_from: 0n,
            source: "mine",
          })
          .execute(),
      );
    await expect(insert(merchant.environment.id, soon)).rejects.toMatchObject({ code: "42501" });
    await expect(insert(operatorScope, "2026-01-01")).rejects.toMatchObject({ code: "23514" });
  });
});

test("verify names live payouts that were charged otherwise", async () => {
  const { id } = merchant.environment;
  const payout = (await pay({ amount: 50_000.01 })).json().data.id;
  // No live bank is connected here: a sandbox's payouts count as live for the length of this check.
  await asOwner(
    ownerUrl,
    `update environments set kind = 'LIVE' where id = '${id}';
     update transfers set created_at = now() where environment_id = '${id}';
     update transfers set fee = 1000, vat = 75, stamp_duty = 0 where environment_id = '${id}';
     update transfers set fee = 5000, vat = 375, stamp_duty = 5000 where id = '${payout}'`,
  );
  expect(await inEnvironment(db, id, verifyTariffs)).toEqual([]);
  await asOwner(ownerUrl, `update transfers set vat = 374 where id = '${payout}'`);
  expect(await inEnvironment(db, id, verifyTariffs)).toEqual([
    {
      check: "payout is charged by the tariff of its day",
      subject: payout,
      expected: "5000/375/5000",
      found: "5000/374/5000",
    },
  ]);
});
