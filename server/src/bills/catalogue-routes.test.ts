import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { createBillsApp, freshReference } from "../../testing/payments/bills-app.ts";
import { inEnvironment } from "../platform/database/database.ts";

const { call, operate, vend, db, merchant } = await createBillsApp();

const path = "/operator/bills/catalogues";
const current = async () => (await operate("GET", path)).json().data;

/** The current catalogue with some things changed. */
async function load(change: Readonly<Record<string, unknown>>, headers = {}) {
  const { version: _, ...whole } = await current();
  return operate("POST", path, { ...whole, source: "Price lists", sourceDate: "2026-11-02", ...change }, headers);
}

async function repriced(packageCode: string, amount: number) {
  const { tvPackages } = await current();
  return tvPackages.map((one: { packageCode: string }) => (one.packageCode === packageCode ? { ...one, amount } : one));
}

async function versionOf(id: string): Promise<number | undefined> {
  const found = await inEnvironment(db, merchant.environment.id, (tx) =>
    sql<{ version: number }>`select catalogue_version as version from bills where id = ${id}`.execute(tx),
  );
  return found.rows[0]?.version;
}

describe("the catalogue", () => {
  test("is read whole, with its source and its date", async () => {
    expect(await current()).toMatchObject({
      version: 1,
      source: expect.stringMatching(/\S/),
      sourceDate: "2026-11-01",
      networks: expect.arrayContaining([expect.objectContaining({ code: "MTN", minAmount: 50 })]),
    });
  });

  test("is replaced by an operator without a release, and a bill keeps the version that priced it", async () => {
    const before = (await vend("data")).json().data;
    const { etag } = (await call("GET", "/bills/data/list")).headers;
    const { dataPlans, version } = await current();
    const dearer = dataPlans.map((plan: { planCode: string }) =>
      plan.planCode === "mtn-1gb-7d" ? { ...plan, amount: 850.5 } : plan,
    );
    const reply = await load({ dataPlans: dearer });
    expect(reply.statusCode).toBe(201);
    expect(reply.json().data).toEqual({ ...(await current()), version: version + 1 });
    const after = (await vend("data")).json().data;
    expect([before.amount, after.amount]).toEqual([800, 850.5]);
    expect([await versionOf(before.id), await versionOf(after.id)]).toEqual([version, version + 1]);
    const listed = await call("GET", "/bills/data/list", { headers: { "if-none-match": String(etag) } });
    expect(listed.statusCode).toBe(200);
    const audit = (await operate("GET", "/operator/audit?limit=1")).json().data;
    expect(audit).toMatchObject([
      {
        action: "bill_catalogue.load",
        subjectId: String(version + 1),
        detail: { source: "Price lists", dataPlans: 38 },
      },
    ]);
  });

  test("can lose a plan, and what was bought under its old reference is still found", async () => {
    const reference = freshReference();
    await vend("data", { reference, planCode: "mtn-110mb-1d" });
    const { dataPlans } = await current();
    await load({ dataPlans: dataPlans.filter(({ planCode }: { planCode: string }) => planCode !== "mtn-110mb-1d") });
    expect((await vend("data", { planCode: "mtn-110mb-1d" })).json().code).toBe("unknown_plan");
    expect((await vend("data", { reference, planCode: "mtn-110mb-1d" })).statusCode).toBe(200);
  });

  test("that changes a package's price after validation has the vend refused until validated again", async () => {
    const card = { provider: "dstv", smartCardNumber: "7023456789" };
    const validate = () => call("POST", "/bills/tv/validate", { body: card });
    await validate();
    expect((await load({ tvPackages: await repriced("dstv-compact", 21_000) })).statusCode).toBe(201);
    const refused = await vend("tv");
    expect([refused.statusCode, refused.json().code, refused.json().data]).toEqual([
      422,
      "price_changed",
      { packageCode: "dstv-compact", validatedAmount: 19_000, amount: 21_000 },
    ]);
    // Another package costs what it cost.
    expect((await vend("tv", { packageCode: "dstv-padi" })).json().data.amount).toBe(4400);
    await validate();
    expect((await vend("tv")).json().data).toMatchObject({ amount: 21_000, totalDebited: 21_000 });
  });

  test.each([
    ["a code twice", "bettingProviders", [0, 0], ["bettingProviders[1].code"]],
    ["a network that is missing", "networks", [0], ["dataPlans["]],
    ["a TV provider that is missing", "tvProviders", [1], ["tvPackages[0].provider"]],
  ])("with %s is refused", async (_, list, kept, fields) => {
    const whole = await current();
    const reply = await load({ [list]: kept.map((index) => whole[list][index]) });
    expect([reply.statusCode, reply.json().code]).toEqual([422, "validation_failed"]);
    const named = reply.json().errors.map(({ field }: { field: string }) => field);
    for (const field of fields) expect(named.some((one: string) => one.startsWith(field))).toBe(true);
  });

  test("with bounds the wrong way round, or fields of the wrong form, is refused", async () => {
    const betting = { code: "bet9ja", name: "Bet9ja", minAmount: 100, maxAmount: 99 };
    const inverted = await load({ bettingProviders: [betting] });
    expect(inverted.json().errors).toEqual([
      { field: "bettingProviders[0].maxAmount", message: "must not be below minAmount" },
    ]);
    const malformed = await load({ sourceDate: "yesterday", bettingProviders: [{ ...betting, code: "Bet 9ja" }] });
    expect([malformed.statusCode, malformed.json().errors.length]).toEqual([422, 2]);
  });

  test("is loaded once under one Idempotency-Key, and in turn by two operators at once", async () => {
    const headers = { "idempotency-key": freshReference() };
    const { version, ...whole } = await current();
    const first = await operate("POST", path, whole, headers);
    expect((await operate("POST", path, whole, headers)).body).toBe(first.body);
    const other = await operate("POST", path, { ...whole, source: "Another list" }, headers);
    expect(other.json()).toMatchObject({ code: "idempotency_key_conflict" });
    expect((await current()).version).toBe(version + 1);
    const both = await Promise.all([load({}), load({})]);
    expect(both.map((reply) => reply.json().data.version).sort()).toEqual([version + 2, version + 3]);
  });

  test("is nothing for merchants, who can neither read it nor write to its table", async () => {
    expect((await call("GET", path)).statusCode).toBe(401);
    expect((await call("POST", path, { body: {} })).statusCode).toBe(401);
    const write = inEnvironment(db, merchant.environment.id, (tx) =>
      sql`insert into bill_catalogues (version, source, source_date, content)
        values (999, 'mine', '2026-11-01', '{}')`.execute(tx),
    );
    await expect(write).rejects.toMatchObject({ code: "42501" });
  });
});
