import { describe, expect, test } from "vitest";
import { issueKeyFor, issueLiveKeyFor } from "../../../testing/keys.ts";
import { createBillsApp } from "../../../testing/payments/bills-app.ts";

const app = await createBillsApp();
const { call, vend, balance, db, merchant, otherMerchant } = app;

const codeOf = (reply: { statusCode: number; json(): { code: string } }) => [reply.statusCode, reply.json().code];

const validate = (category: string, body: unknown, key?: string) =>
  call("POST", `/bills/${category}/validate`, key === undefined ? { body } : { body, key });

describe("a vend is refused", () => {
  test.each([
    ["airtime", { network: "VODAFONE" }, "unknown_network"],
    ["data", { network: "VODAFONE" }, "unknown_network"],
    ["data", { planCode: "airtel-1gb-7d" }, "unknown_plan"],
    ["data", { planCode: "mtn-1pb-7d" }, "unknown_plan"],
    ["airtime", { amount: 49.99 }, "amount_out_of_band"],
    ["airtime", { amount: 50_000.01 }, "amount_out_of_band"],
    ["electricity", { amount: 999.99 }, "amount_out_of_band"],
    ["electricity", { provider: "lagos-electric" }, "unknown_provider"],
    ["tv", { provider: "hulu" }, "unknown_provider"],
    ["tv", { packageCode: "gotv-max" }, "unknown_package"],
    ["tv", { smartCardNumber: "7011111111" }, "validation_required"],
    ["betting", { customerId: "77" }, "validation_required"],
    ["betting", { provider: "bet365" }, "unknown_provider"],
    ["betting", { amount: 100_000.01 }, "amount_out_of_band"],
  ])("%s with %j: %s", async (category, body, code) => {
    const before = await balance();
    expect(codeOf(await vend(category, body))).toEqual([422, code]);
    expect(await balance()).toEqual(before);
  });

  test("outside the provider's bounds with the bounds in data", async () => {
    expect((await vend("airtime", { amount: 10 })).json().data).toEqual({ minAmount: 50, maxAmount: 50_000 });
  });

  test.each([
    ["airtime", { phoneNumber: "+447911123456" }, ["phoneNumber"]],
    ["data", { phoneNumber: "12345" }, ["phoneNumber"]],
    ["electricity", { phoneNumber: "080312345678" }, ["phoneNumber"]],
    ["electricity", { meterNumber: "123", meterType: "solar" }, ["meterNumber", "meterType"]],
    ["tv", { smartCardNumber: "70234567890" }, ["smartCardNumber"]],
    ["tv", { subscriptionType: "again" }, ["subscriptionType"]],
    ["airtime", { amount: 100.005 }, ["amount"]],
    ["airtime", { amount: "1000" }, ["amount"]],
    ["airtime", { amount: 0, reference: "" }, ["amount", "reference"]],
    ["airtime", { reference: "r".repeat(101) }, ["reference"]],
    ["betting", { customerId: "a b" }, ["customerId"]],
  ])("%s with %j: naming %j", async (category, body, fields) => {
    const reply = await vend(category, body);
    expect(codeOf(reply)).toEqual([422, "validation_failed"]);
    const named: string[] = reply.json().errors.map(({ field }: { field: string }) => field);
    expect(named.sort()).toEqual(fields);
  });

  test("without enough money, and its reference stays free", async () => {
    const poor = await createBillsApp(100);
    const reference = "too-dear";
    expect(codeOf(await poor.vend("airtime", { reference, amount: 100.5 }))).toEqual([422, "insufficient_funds"]);
    expect(codeOf(await poor.call("POST", "/bills/status", { body: { reference } }))).toEqual([404, "bill_not_found"]);
    expect((await poor.vend("airtime", { reference, amount: 99 })).statusCode).toBe(201);
  });

  test("without a key, with a key of another scope, and where no biller is connected", async () => {
    const body = { network: "MTN", phoneNumber: "08031234567", amount: 100, reference: "keys" };
    const path = "/bills/airtime/vend";
    expect(codeOf(await call("POST", path, { body, key: null }))).toEqual([401, "missing_key"]);
    const reader = await issueKeyFor(db, merchant.environment.id, { scopes: ["bills:read"] });
    expect(codeOf(await call("POST", path, { body, key: reader }))).toEqual([403, "scope_missing"]);
    const live = await issueLiveKeyFor(db, otherMerchant.merchant.id);
    const reply = await call("POST", path, { body, key: live });
    expect(codeOf(reply)).toEqual([503, "rail_not_configured"]);
    expect(reply.headers["retry-after"]).toBeDefined();
  });
});

describe("a validation", () => {
  test("counts for its own customer only, also where another's reference is shown", async () => {
    const of = async (customerId: string) =>
      (await validate("betting", { provider: "bet9ja", customerId })).json().data.validationReference;
    const validationReference = await of("1001");
    expect(codeOf(await vend("betting", { customerId: "1002", validationReference }))).toEqual([
      422,
      "validation_required",
    ]);
    await of("1002");
    expect(codeOf(await vend("betting", { customerId: "1002", validationReference }))).toEqual([
      422,
      "validation_required",
    ]);
    expect((await vend("betting", { customerId: "1002" })).statusCode).toBe(201);
    expect((await vend("betting", { customerId: "1001", validationReference })).statusCode).toBe(201);
  });

  test("counts for its own provider only", async () => {
    await validate("betting", { provider: "1xbet", customerId: "2001" });
    expect(codeOf(await vend("betting", { customerId: "2001" }))).toEqual([422, "validation_required"]);
  });

  test("of another merchant does not count", async () => {
    const body = { provider: "bet9ja", customerId: "3001" };
    const theirs = (await validate("betting", body, otherMerchant.secretKey)).json().data;
    for (const reference of [undefined, theirs.validationReference]) {
      const asked = { customerId: "3001", validationReference: reference };
      expect(codeOf(await vend("betting", asked))).toEqual([422, "validation_required"]);
    }
  });

  test("counts for 30 minutes of the environment's clock", async () => {
    const timed = await createBillsApp();
    const body = { provider: "bet9ja", customerId: "4001" };
    const first = (await timed.call("POST", "/bills/betting/validate", { body })).json().data;
    await timed.call("POST", "/sandbox/clock/advance", { body: { seconds: 1795 } });
    const reference = "in-time";
    const inTime = await timed.vend("betting", { customerId: "4001", reference });
    expect(inTime.statusCode).toBe(201);
    await timed.call("POST", "/sandbox/clock/advance", { body: { seconds: 10 } });
    const late = { customerId: "4001", validationReference: first.validationReference };
    expect(codeOf(await timed.vend("betting", late))).toEqual([422, "validation_required"]);
    // What was accepted in time is found again, however late it is asked for.
    const replayed = await timed.vend("betting", { customerId: "4001", reference });
    expect([replayed.statusCode, replayed.json().data.id]).toEqual([200, inTime.json().data.id]);
  });
});
