import { describe, expect, test } from "vitest";
import { createTestApp } from "../../../testing/app.ts";
import { issueLiveKeyFor } from "../../../testing/keys.ts";
import { nairaNumber } from "../../money/kobo.ts";
import { inEnvironment } from "../../platform/database/database.ts";
import { deskOf } from "../../rails/desk.ts";
import { readCatalogue } from "../catalogue/catalogue-store.ts";
import { askProvider } from "./validation-routes.ts";

const { call, db, merchant, rails } = await createTestApp();

const validate = (category: string, body: unknown, key?: string) =>
  call("POST", `/bills/${category}/validate`, key === undefined ? { body } : { body, key });
const card = { provider: "dstv", smartCardNumber: "7023456789" };
const confirmation = { validationReference: expect.stringMatching(/\S/), expiresAt: expect.any(String) };

describe("validating", () => {
  test("a smart card tells whose it is, what runs on it and until when, for 30 minutes", async () => {
    const reply = await validate("tv", { ...card, provider: "DStv" });
    expect(reply.statusCode).toBe(200);
    const { data } = reply.json();
    expect(data).toEqual({
      ...card,
      customerName: expect.stringMatching(/^\S+ \S+ \S+$/),
      currentPackage: expect.stringMatching(/^dstv-/),
      renewalAmount: expect.any(Number),
      dueDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      ...confirmation,
    });
    const { tvPackages } = await readCatalogue(db, null);
    const runs = tvPackages.find(({ packageCode }) => packageCode === data.currentPackage);
    expect(data.renewalAmount).toBe(runs === undefined ? undefined : nairaNumber(runs.amount));
    const minutes = (Date.parse(data.expiresAt) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(29);
    expect(minutes).toBeLessThanOrEqual(30);
    const again = (await validate("tv", card)).json().data;
    expect(again).toMatchObject({ customerName: data.customerName, currentPackage: data.currentPackage });
    expect(again.validationReference).not.toBe(data.validationReference);
  });

  test("a betting account tells whose it is and how much fits", async () => {
    const { data } = (await validate("betting", { provider: "nairabet", customerId: "1234567" })).json();
    expect(data).toEqual({
      provider: "nairabet",
      customerId: "1234567",
      customerName: expect.stringMatching(/\S/),
      minAmount: 100,
      maxAmount: 250_000,
      ...confirmation,
    });
  });

  test("a meter tells whose it is and where", async () => {
    const meter = { provider: "aba-electric", meterNumber: "4501234567890", meterType: "postpaid" };
    expect((await validate("electricity", meter)).json().data).toEqual({
      ...meter,
      customerName: expect.stringMatching(/\S/),
      address: expect.stringMatching(/^\d+ \S/),
      minAmount: 1000,
      maxAmount: 500_000,
      ...confirmation,
    });
  });

  test.each(["airtime", "data"])("a phone number for %s tells which network gave it out", async (category) => {
    const ask = async (network: string, phoneNumber: string) =>
      (await validate(category, { network, phoneNumber })).json().data;
    const number = { network: "MTN", phoneNumber: "+2348021234567" };
    expect(await ask("mtn", "08021234567")).toEqual({ ...number, prefixNetwork: "AIRTEL", ...confirmation });
    expect(await ask("MTN", "+234 707 123 4567")).toMatchObject({ prefixNetwork: null });
  });

  test.each([
    ["tv", { provider: "dstv", smartCardNumber: "0000000000" }, 404, "customer_not_found"],
    ["tv", { provider: "startimes", smartCardNumber: "00000000000" }, 404, "customer_not_found"],
    ["betting", { provider: "bet9ja", customerId: "0000" }, 404, "customer_not_found"],
    ["tv", { provider: "hulu", smartCardNumber: "7023456789" }, 422, "unknown_provider"],
    ["betting", { provider: "dstv", customerId: "1" }, 422, "unknown_provider"],
    ["electricity", { provider: "x", meterNumber: "45012345678", meterType: "prepaid" }, 422, "unknown_provider"],
    ["airtime", { network: "x", phoneNumber: "08031234567" }, 422, "unknown_network"],
    ["data", { network: "x", phoneNumber: "08031234567" }, 422, "unknown_network"],
    ["data", { network: "MTN", phoneNumber: "123" }, 422, "validation_failed"],
    ["tv", { provider: "startimes", smartCardNumber: "7023456789" }, 422, "validation_failed"],
    ["tv", {}, 422, "validation_failed"],
  ])("%s %j is refused with %i %s", async (category, body, status, code) => {
    const reply = await validate(category, body);
    expect([reply.statusCode, reply.json().code]).toEqual([status, code]);
  });

  test("where no biller is connected is refused", async () => {
    const live = await issueLiveKeyFor(db, merchant.merchant.id);
    const reply = await validate("tv", card, live);
    expect([reply.statusCode, reply.json().code]).toEqual([503, "rail_not_configured"]);
  });

  test("forgets what has run out", async () => {
    const count = () =>
      inEnvironment(db, merchant.environment.id, (tx) => tx.selectFrom("bill_validations").select("id").execute());
    expect((await count()).length).toBeGreaterThan(1);
    await call("POST", "/sandbox/clock/advance", { body: { seconds: 1900 } });
    await validate("tv", card);
    expect(await count()).toHaveLength(1);
  });
});

describe("a biller that cannot be asked", () => {
  const question = { environmentId: merchant.environment.id, category: "tv", provider: "dstv", customer: "1" } as const;
  const nobody = { address: null, subscription: null, renewalAmount: null };

  test.each([
    ["does not answer", { found: "unavailable" }],
    ["names nobody", { found: "yes", customer: { name: null, ...nobody } }],
    ["gives an empty name", { found: "yes", customer: { name: " ", ...nobody } }],
  ] as const)("because it %s has confirmed nobody", async (_, answer) => {
    const rail = { ...rails.simulatedBiller.rail, validate: async () => answer };
    const deps = { db, rails: { biller: deskOf({ SANDBOX: rail, LIVE: null }) } };
    await expect(
      askProvider(deps, { environmentId: question.environmentId, kind: "SANDBOX" }, { ...question, meterType: null }),
    ).rejects.toMatchObject({
      code: "biller_unavailable",
      status: 503,
      headers: { "retry-after": "30" },
    });
  });
});
