import { beforeEach, describe, expect, test } from "vitest";
import { createTestApp } from "../../../testing/app.ts";
import { createMerchant } from "../../../testing/factories.ts";
import { freeze, start } from "../../../testing/lending/loans.ts";
import { inEnvironment } from "../../platform/database/database.ts";
import { findPolicy } from "./policies.ts";

const testing = await createTestApp();
const { db, call, operate } = testing;

let environmentId: string;
let key: string;

beforeEach(async () => {
  const merchant = await createMerchant(db);
  [environmentId, key] = [merchant.environment.id, merchant.secretKey];
  await freeze(testing, start, key);
});

const path = () => `/operator/environments/${environmentId}/credit-policies`;
const minutes = (count: number) => new Date(Date.parse(start) + count * 60_000).toISOString();
const rules = {
  minimumAge: 21,
  mostOpenLoans: 1,
  minAmount: 10_000,
  tenors: [1, 3, 6],
  tiers: [
    { completedLoans: 0, repaidAmount: 0, limit: 100_000 },
    { completedLoans: 2, repaidAmount: 200_000, limit: 300_000 },
  ],
  counting: { repaidPercent: 90, daysOut: 30 },
};
const body = { ...rules, version: 4, effectiveFrom: minutes(60), reason: "Decision of 3 November" };
const publish = (change: object = {}, headers = {}) => operate("POST", path(), { ...body, ...change }, headers);
const person = {
  kycStatus: "verified",
  age: 20,
  completedLoans: 0,
  repaidAmount: 0,
  openLoans: 1,
  overdueLoans: 0,
  writtenOffLoans: 0,
  exposure: 60_000,
};
const preview = (change: object = {}, people: object[] = [person]) =>
  operate("POST", `${path()}/preview`, { ...rules, ...change, people });
const list = async () => (await operate("GET", path())).json().data;
const advance = (by: object) => call("POST", "/sandbox/clock/advance", { key, body: by });

const customer = {
  first_name: "Ada",
  last_name: "Obi",
  email: "ada@example.com",
  phone: "08031234567",
  bvn: "22123456789",
  date_of_birth: "1990-05-17",
};

async function eligibility() {
  const { id } = (await call("POST", "/loans/bnpl/customers", { key, body: customer })).json().data;
  return (await call("GET", `/loans/bnpl/customers/${id}/eligibility`, { key })).json().data;
}

describe("a credit policy", () => {
  test("is listed with the one that counts now", async () => {
    expect(await list()).toMatchObject([
      { version: 3, minimumAge: 18, minAmount: 5_000, tenors: [1, 3, 6, 9, 12], inForce: true },
    ]);
  });

  test("decides from its date on, and the trail says who published it and why", async () => {
    const reply = await publish();
    expect(reply.statusCode, reply.body).toBe(201);
    expect(reply.json().data).toEqual({ version: 4, effectiveFrom: minutes(60), ...rules, inForce: false });
    expect(await eligibility()).toMatchObject({ min_amount: 5_000, max_amount: 200_000 });
    await advance({ seconds: 3_600 });
    const offer = await eligibility();
    expect(offer).toMatchObject({ min_amount: 10_000, max_amount: 100_000 });
    expect(offer.tenors.map(({ tenor }: { tenor: number }) => tenor)).toEqual([1, 3, 6]);
    expect((await inEnvironment(db, environmentId, findPolicy)).version).toBe(4);
    expect((await list()).map(({ inForce }: { inForce: boolean }) => inForce)).toEqual([true, false]);
    expect((await operate("GET", "/operator/audit?limit=1")).json().data).toMatchObject([
      {
        action: "credit_policy.publish",
        subjectId: "4",
        environmentId,
        detail: { version: 4, effectiveFrom: minutes(60), reason: "Decision of 3 November", confirmed: false },
      },
    ]);
  });

  test("that was planned by mistake is replaced by another for the same date", async () => {
    await publish();
    await publish({ version: 5, minimumAge: 19 });
    await advance({ seconds: 3_600 });
    expect(await inEnvironment(db, environmentId, findPolicy)).toMatchObject({ version: 5, minimumAge: 19 });
  });

  test("that is planned stays planned when another is published for an earlier date", async () => {
    await publish();
    await publish({ version: 5, effectiveFrom: minutes(30) });
    await advance({ seconds: 1_800 });
    expect((await inEnvironment(db, environmentId, findPolicy)).version).toBe(5);
    await advance({ seconds: 1_800 });
    expect((await inEnvironment(db, environmentId, findPolicy)).version).toBe(4);
  });

  test("is published once: again it is found, with other content or number it is refused", async () => {
    const first = await publish();
    const again = await publish();
    expect([again.statusCode, again.json().data]).toEqual([200, first.json().data]);
    for (const change of [{ minimumAge: 22 }, { version: 3 }, { version: 6 }]) {
      const reply = await publish(change);
      expect([reply.statusCode, reply.json().code, reply.json().data]).toEqual([
        409,
        "version_conflict",
        { latestVersion: 4 },
      ]);
    }
    const both = await Promise.all([publish({ version: 5, minimumAge: 30 }), publish({ version: 5, minimumAge: 31 })]);
    expect(both.map((reply) => reply.statusCode).sort()).toEqual([201, 409]);
  });

  test("is replayed by its Idempotency-Key", async () => {
    const headers = { "idempotency-key": `policy-${environmentId}` };
    const first = await publish({}, headers);
    expect((await publish({}, headers)).body).toBe(first.body);
  });

  test("with a limit ten times as large must say that it is meant", async () => {
    const tiers = [{ completedLoans: 0, repaidAmount: 0, limit: 2_000_000 }];
    const reply = await publish({ tiers });
    expect([reply.statusCode, reply.json().code, reply.json().data]).toEqual([
      422,
      "large_change",
      { fields: ["tiers[0].limit"] },
    ]);
    expect((await publish({ tiers, confirmLargeChanges: true })).statusCode).toBe(201);
  });

  test.each([
    [{ effectiveFrom: minutes(-1) }, ["effectiveFrom"]],
    [{ effectiveFrom: minutes(4) }, ["effectiveFrom"]],
    [{ effectiveFrom: minutes(600_000) }, ["effectiveFrom"]],
    [{ minimumAge: 17 }, ["minimumAge"]],
    [{ tenors: [1, 1] }, ["tenors[1]"]],
    [{ tenors: [3, 1] }, ["tenors[1]"]],
    [{ tenors: [1, 24] }, ["tenors[1]"]],
    [{ tenors: [] }, ["tenors"]],
    [
      { tiers: [{ completedLoans: 1, repaidAmount: 1, limit: 100_000 }] },
      ["tiers[0].completedLoans", "tiers[0].repaidAmount"],
    ],
    [
      {
        tiers: [
          { completedLoans: 0, repaidAmount: 0, limit: 100_000 },
          { completedLoans: 0, repaidAmount: 0, limit: 90_000 },
        ],
      },
      ["tiers[1].completedLoans", "tiers[1].limit"],
    ],
    [
      {
        tiers: [
          { completedLoans: 0, repaidAmount: 0, limit: 100_000 },
          { completedLoans: 1, repaidAmount: 50_000, limit: 150_000 },
          { completedLoans: 2, repaidAmount: 49_999.99, limit: 200_000 },
        ],
      },
      ["tiers[2].repaidAmount"],
    ],
    [{ minAmount: 100_001 }, ["tiers[0].limit"]],
    [{ minAmount: 1_000_001, tiers: [{ completedLoans: 0, repaidAmount: 0, limit: 2_000_000 }] }, ["minAmount"]],
    [{ counting: { repaidPercent: 101, daysOut: 1 } }, ["counting.repaidPercent"]],
  ])("with %j is refused", async (change, fields) => {
    const reply = await publish(change);
    expect([reply.statusCode, reply.json().code]).toEqual([422, "validation_failed"]);
    expect(reply.json().errors.map(({ field }: { field: string }) => field)).toEqual(fields);
  });
});

describe("a preview", () => {
  test("shows what changes for whom, and stores nothing", async () => {
    const fine = { ...person, age: null, openLoans: 0, exposure: 0 };
    const reply = await preview({}, [
      person,
      fine,
      { ...fine, completedLoans: 3, repaidAmount: 600_000, exposure: 350_000 },
    ]);
    expect(reply.statusCode, reply.body).toBe(200);
    const [first, second, third] = reply.json().data;
    expect(first).toMatchObject({
      person: { ...person, atLender: { openLoans: 1, exposure: 60_000 } },
      current: { eligible: true, minAmount: 5_000, maxAmount: 140_000, reasons: [] },
      proposed: { eligible: false, maxAmount: 0 },
      changed: true,
    });
    expect(first.proposed.reasons.map(({ code }: { code: string }) => code)).toEqual([
      "underage",
      "too_many_open_loans",
    ]);
    expect(second).toMatchObject({ current: { maxAmount: 200_000 }, proposed: { maxAmount: 100_000 }, changed: true });
    expect(third).toMatchObject({ current: { maxAmount: 150_000 }, proposed: { eligible: false } });
    expect(await list()).toHaveLength(1);
  });

  test("of the same rules changes nothing, and counts what a person owes elsewhere", async () => {
    const [{ version: _, effectiveFrom: __, inForce: ___, ...current }] = await list();
    const atLender = { openLoans: 2, overdueLoans: 0, writtenOffLoans: 0, exposure: 0 };
    const [same] = (await preview(current, [{ ...person, atLender }])).json().data;
    expect(same).toMatchObject({ changed: false, current: { reasons: [{ code: "lender_limit_reached" }] } });
  });

  test("decides as eligibility does", async () => {
    const offer = await eligibility();
    const [{ version: _, effectiveFrom: __, inForce: ___, ...current }] = await list();
    const [{ proposed }] = (await preview(current, [{ ...person, age: 36, openLoans: 0, exposure: 0 }])).json().data;
    expect([proposed.minAmount, proposed.maxAmount]).toEqual([offer.min_amount, offer.max_amount]);
    expect(proposed.tenors.length).toBe(offer.tenors.length);
  });

  test("of rules that contradict each other is refused, as publishing is", async () => {
    const reply = await preview({ tenors: [3, 1] });
    expect([reply.statusCode, reply.json().errors[0].field]).toEqual([422, "tenors[1]"]);
    expect((await preview({}, [])).statusCode).toBe(422);
    expect((await preview({ effectiveFrom: minutes(60) })).statusCode).toBe(200);
    for (const effectiveFrom of ["2030-12-31T23:59:60Z", "2030-12-01T00:00:00+01"]) {
      expect((await preview({ effectiveFrom })).statusCode, effectiveFrom).toBe(422);
    }
  });
});

test.each(["01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11", "no-uuid"])("the environment %s is not found", async (id) => {
  const where = `/operator/environments/${id}/credit-policies`;
  const replies = [
    await operate("GET", where),
    await operate("POST", where, body),
    await operate("POST", `${where}/preview`, { ...rules, people: [person] }),
  ];
  for (const reply of replies) expect([reply.statusCode, reply.json().code]).toEqual([404, "environment_not_found"]);
});
