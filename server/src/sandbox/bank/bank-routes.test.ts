import { beforeEach, describe, expect, test } from "vitest";
import { createTestApp } from "../../../testing/app.ts";
import { createMerchant, type TestMerchant } from "../../../testing/factories.ts";
import { issueKeyFor, issueLiveKeyFor } from "../../../testing/keys.ts";

const { db, call, rails } = await createTestApp();
const { simulatedBank } = rails;
let merchant: TestMerchant;

beforeEach(async () => {
  merchant = await createMerchant(db);
});

async function put(code: string, body: unknown, key = merchant.secretKey) {
  const reply = await call("PUT", `/sandbox/banks/${code}/health`, { body, key });
  return { status: reply.statusCode, body: reply.json() };
}

const conditionOf = (nipCode: string, environmentId = merchant.environment.id) =>
  simulatedBank.conditions.of(environmentId, nipCode);

describe("PUT /sandbox/banks/{code}/health", () => {
  test("puts a bank down and up again, by either of its codes", async () => {
    const down = await put("058", { status: "down" });
    expect(down).toMatchObject({ status: 200, body: { status: true, message: "Bank health set" } });
    expect(down.body.data).toEqual({
      bankCode: "058",
      nipCode: "000013",
      bankName: "Guaranty Trust Bank",
      status: "down",
    });
    expect(await conditionOf("000013")).toBe("down");
    expect((await put("000013", { status: "up" })).body.data.status).toBe("up");
    expect(await conditionOf("000013")).toBe("up");
  });

  test("is heard at once by the name enquiries of this sandbox and of no other", async () => {
    const other = await createMerchant(db);
    const question = { nipCode: "000014", accountNumber: "0690000031" };
    const ask = ({ environment }: TestMerchant) =>
      simulatedBank.rail.resolveAccount({ ...question, environmentId: environment.id });
    expect(await ask(merchant)).toMatchObject({ found: "yes" });
    await put("044", { status: "down" });
    expect(await ask(merchant)).toEqual({ found: "unavailable" });
    expect(await ask(other)).toMatchObject({ found: "yes" });
  });

  test("set twice is set once, also at the same time", async () => {
    const replies = await Promise.all([put("058", { status: "degraded" }), put("058", { status: "degraded" })]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(await conditionOf("000013")).toBe("degraded");
  });

  test("leaves Nowhere Bank down", async () => {
    expect((await put("999", { status: "up" })).body.data.status).toBe("down");
  });

  test("knows no bank by another code", async () => {
    expect(await put("000", { status: "up" })).toMatchObject({ status: 404, body: { code: "bank_not_found" } });
  });

  test.each([[{}], [{ status: "away" }], [{ status: null }]])("refuses %o", async (body) => {
    const reply = await put("058", body);
    expect(reply).toMatchObject({ status: 422, body: { code: "validation_failed" } });
    expect(reply.body.errors).toEqual([expect.objectContaining({ field: "status" })]);
  });

  test("refuses a live key, and a key without the scope", async () => {
    const live = await issueLiveKeyFor(db, merchant.merchant.id);
    expect(await put("058", { status: "up" }, live)).toMatchObject({ status: 403, body: { code: "sandbox_only" } });
    const reader = await issueKeyFor(db, merchant.environment.id, { scopes: ["sandbox:read"] });
    expect(await put("058", { status: "up" }, reader)).toMatchObject({ status: 403, body: { code: "scope_missing" } });
  });
});
