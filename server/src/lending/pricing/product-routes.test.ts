import { beforeEach, describe, expect, test } from "vitest";
import { createMerchant } from "../../../testing/factories.ts";
import { application, createLendingApp, freeze, start } from "../../../testing/lending/loans.ts";
import { asOwner } from "../../../testing/work.ts";
import { inEnvironment } from "../../platform/database/database.ts";
import { house } from "../../start/slices.ts";

const testing = await createLendingApp();
const { db, call, operate } = testing;

let environmentId: string;
let key: string;

beforeEach(async () => {
  const merchant = await createMerchant(db);
  [environmentId, key] = [merchant.environment.id, merchant.secretKey];
  await freeze(testing, start, key);
});

const path = () => `/operator/environments/${environmentId}/loan-products`;
const minutes = (count: number) => new Date(Date.parse(start) + count * 60_000).toISOString();
const body = {
  code: "standard",
  version: 2,
  name: "Standard",
  description: "Flat, five percent.",
  interestMethod: "flat",
  minAmount: 1_000,
  maxAmount: 5_000_000,
  tenors: { monthly: { shortest: 1, longest: 24, interestPercent: 5.0025 } },
  fee: { percent: 0, fixed: 0 },
  lateFee: { percent: 1, minimum: 100 },
  graceDays: 1,
  effectiveFrom: minutes(60),
  reason: "Decision of 3 November",
};
const publish = (change: object = {}, headers = {}) => operate("POST", path(), { ...body, ...change }, headers);
const list = async () => (await operate("GET", path())).json().data;
const inForce = async (code = "standard") =>
  (await list()).filter((each: { inForce: boolean; code: string }) => each.inForce && each.code === code);
const advance = (by: object) => call("POST", "/sandbox/clock/advance", { key, body: by });
const quote = async () =>
  (await call("POST", "/loans/quote", { key, body: { amount: 100_000, tenure: 12, tenure_type: "monthly" } })).json()
    .data.interest_rate;

describe("terms of loans", () => {
  test("are listed with those that count now", async () => {
    expect(await list()).toHaveLength(2);
    expect(await inForce()).toMatchObject([
      {
        code: "standard",
        version: 1,
        minAmount: 1_000,
        tenors: { daily: { shortest: 7, longest: 90, interestPercent: 0.2 } },
        lateFee: { percent: 1, minimum: 100 },
      },
    ]);
  });

  test("count from their date on, to the hundredth of a basis point, and loans keep theirs", async () => {
    const reply = await publish();
    expect(reply.statusCode, reply.body).toBe(201);
    expect(reply.json().data).toMatchObject({ version: 2, effectiveFrom: minutes(60), inForce: false });
    const before = (await call("POST", "/loans/create", { key, body: application })).json().data.id;
    expect(await quote()).toBe(4);
    await advance({ seconds: 3_600 });
    expect([await quote(), (await inForce())[0].version]).toEqual([5.0025, 2]);
    const { loan_details: old } = (await call("GET", `/loans/${before}`, { key })).json().data;
    expect(old.interest_rate).toBe(4);
    const audit = (await operate("GET", "/operator/audit?limit=1")).json().data;
    expect(audit).toMatchObject([
      {
        action: "loan_product.publish",
        environmentId,
        detail: { code: "standard", version: 2, effectiveFrom: minutes(60), reason: "Decision of 3 November" },
      },
    ]);
    expect(await inEnvironment(db, environmentId, (tx) => house.verify(tx))).toEqual([]);
  });

  test("that were planned by mistake are replaced by others for the same date", async () => {
    await publish();
    expect(
      (
        await publish({
          version: 3,
          name: "As before",
          tenors: { monthly: { ...body.tenors.monthly, interestPercent: 4 } },
        })
      ).statusCode,
    ).toBe(201);
    await advance({ seconds: 3_600 });
    expect(await inForce()).toMatchObject([{ version: 3, name: "As before" }]);
  });

  test("that are planned stay planned when something is published for an earlier date", async () => {
    await publish();
    await publish({ version: 3, name: "Sooner", effectiveFrom: minutes(30) });
    await advance({ seconds: 1_800 });
    expect(await inForce()).toMatchObject([{ version: 3 }]);
    await advance({ seconds: 1_800 });
    expect(await inForce()).toMatchObject([{ version: 2 }]);
  });
});

describe("a version", () => {
  test("is published once: again it is found, with other content or number it is refused", async () => {
    const first = await publish();
    const again = await publish();
    expect([again.statusCode, again.headers["idempotent-replayed"], again.json().data]).toEqual([
      200,
      "true",
      first.json().data,
    ]);
    for (const change of [{ name: "Other" }, { version: 1 }, { version: 4 }]) {
      const reply = await publish(change);
      expect([reply.statusCode, reply.json().code, reply.json().data]).toEqual([
        409,
        "version_conflict",
        { latestVersion: 2 },
      ]);
    }
    expect(await list()).toHaveLength(3);
  });

  test("of two operators at once is the first one's; twins find it", async () => {
    const both = await Promise.all([publish({ name: "One" }), publish({ name: "Other" })]);
    expect(both.map((reply) => reply.statusCode).sort()).toEqual([201, 409]);
    const twins = await Promise.all(Array.from({ length: 5 }, () => publish({ version: 3 })));
    expect(twins.map((reply) => reply.statusCode).sort()).toEqual([200, 200, 200, 200, 201]);
  });

  test("is replayed by its Idempotency-Key", async () => {
    const headers = { "idempotency-key": `product-${environmentId}` };
    const first = await publish({}, headers);
    expect((await publish({}, headers)).body).toBe(first.body);
  });

  test.each([
    ["the past", minutes(-1)],
    ["now", minutes(0)],
    ["a moment that running requests may meet", minutes(4)],
    ["a slip in the year", "2062-11-02T08:00:00Z"],
  ])("is never for %s", async (_, effectiveFrom) => {
    const reply = await publish({ effectiveFrom });
    expect([reply.statusCode, reply.json().errors[0].field]).toEqual([422, "effectiveFrom"]);
  });

  test("with a figure ten times as large, or a tenth, must say that it is meant", async () => {
    const change = { maxAmount: 500_000_000, minAmount: 100, lateFee: { percent: 10, minimum: 100 } };
    const reply = await publish(change);
    expect([reply.statusCode, reply.json().code]).toEqual([422, "large_change"]);
    expect(reply.json().data.fields.sort()).toEqual(["lateFee.percent", "maxAmount", "minAmount"]);
    expect((await publish({ ...change, confirmLargeChanges: true })).statusCode).toBe(201);
  });

  test.each([
    [{ code: "other" }, "code"],
    [{ minAmount: 0 }, "minAmount"],
    [{ minAmount: 5_000_001 }, "maxAmount"],
    [{ tenors: {} }, "tenors"],
    [{ tenors: { monthly: { shortest: 6, longest: 3, interestPercent: 4 } } }, "tenors.monthly.longest"],
    [{ tenors: { monthly: { shortest: 1, longest: 3, interestPercent: 4.00001 } } }, "tenors.monthly.interestPercent"],
    [{ tenors: { monthly: { shortest: 1, longest: 3, interestPercent: -1 } } }, "tenors.monthly.interestPercent"],
    [{ graceDays: -1 }, "graceDays"],
    [{ fee: { percent: 101, fixed: 0 } }, "fee.percent"],
    [{ reason: "" }, "reason"],
    [{ effectiveFrom: "tomorrow" }, "effectiveFrom"],
  ])("with %j is refused", async (change, field) => {
    const reply = await publish(change);
    expect([reply.statusCode, reply.json().errors[0]?.field]).toEqual([422, field]);
  });

  test("of the checkout counts in months, and has what the credit policy offers", async () => {
    const checkout = { code: "checkout", minAmount: 5_000, maxAmount: 1_000_000 };
    const weekly = { weekly: { shortest: 1, longest: 52, interestPercent: 1 } };
    const both = await publish({ ...checkout, tenors: { ...body.tenors, ...weekly } });
    expect(both.json().errors).toMatchObject([{ field: "tenors" }]);
    const short = await publish({
      ...checkout,
      tenors: { monthly: { shortest: 2, longest: 6, interestPercent: 2.5 } },
    });
    expect(short.json().errors).toEqual([
      { field: "tenors.monthly", message: "must have 1, 9, 12 months, which credit policy 3 offers" },
    ]);
    const small = await publish({ ...checkout, minAmount: 1_000, maxAmount: 4_000, confirmLargeChanges: true });
    expect(small.json().errors).toMatchObject([{ field: "maxAmount" }]);
    expect((await publish({ ...checkout, tenors: body.tenors })).statusCode).toBe(201);
  });

  test.each(["01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11", "no-uuid"])("of the environment %s is not found", async (id) => {
    const where = `/operator/environments/${id}/loan-products`;
    for (const reply of [await operate("GET", where), await operate("POST", where, body)]) {
      expect([reply.statusCode, reply.json().code]).toEqual([404, "environment_not_found"]);
    }
  });

  test("of one environment changes nothing in another", async () => {
    await publish();
    const other = await createMerchant(db);
    const { data } = (await operate("GET", `/operator/environments/${other.environment.id}/loan-products`)).json();
    expect(data).toHaveLength(2);
  });
});

test("verify names a live loan that has another product than that of its day", async () => {
  const { merchant } = await createMerchant(db);
  const live = (
    await operate("POST", `/operator/merchants/${merchant.id}/environments`, { kind: "LIVE", name: "Live" })
  ).json().data.id;
  const liveKey = (await operate("POST", `/operator/environments/${live}/keys`, { name: "Live" })).json().data.key;
  const { reference } = (await call("POST", "/loans/create", { key: liveKey, body: application })).json().data;
  const verify = () => inEnvironment(db, live, (tx) => house.verify(tx));
  expect(await verify()).toEqual([]);
  await asOwner(
    testing.ownerUrl,
    `alter table loan_products no force row level security;
     insert into loan_products select environment_id, id, 2, code, name, description, '2020-01-01', interest_method,
       minimum_amount, maximum_amount, tenures, fee_rate, fee_fixed, late_fee_rate, late_fee_minimum, grace_days,
       created_at from loan_products where environment_id = '${live}' and code = 'standard';
     alter table loan_products force row level security`,
  );
  expect(await verify()).toEqual([
    { check: "loan has the product of its day", subject: reference, expected: "2", found: "1" },
  ]);
});
