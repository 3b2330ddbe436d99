import { describe, expect, test } from "vitest";
import { createBillsApp } from "../../../testing/payments/bills-app.ts";

const { call, vend, work, otherMerchant } = await createBillsApp();

await call("PUT", "/sandbox/clock", { body: { mode: "running", now: "2026-11-01T09:00:00.000Z" } });
await vend("airtime", { reference: "one" });
await vend("data", { reference: "two_FAIL" });
await work();
await call("POST", "/sandbox/clock/advance", { body: { days: 2 } });
await vend("electricity", { reference: "three_PENDING" });
await work();
await vend("airtime", { reference: "four" });

const references = async (query = "") => {
  const reply = await call("GET", `/bills${query}`);
  expect(reply.statusCode).toBe(200);
  return reply.json().data.map(({ reference }: { reference: string }) => reference);
};

describe("the list of bills", () => {
  test("is newest first, with exact totals", async () => {
    expect(await references()).toEqual(["four", "three_PENDING", "two_FAIL", "one"]);
    const page = (await call("GET", "/bills?page=2&limit=3")).json();
    expect(page.data.map(({ reference }: { reference: string }) => reference)).toEqual(["one"]);
    expect(page.pagination).toEqual({
      currentPage: 2,
      totalPages: 2,
      totalItems: 4,
      itemsPerPage: 3,
      hasNextPage: false,
      hasPreviousPage: true,
    });
    expect(await references("?page=9")).toEqual([]);
  });

  test.each([
    ["?status=pending", ["four"]],
    ["?status=processing", ["three_PENDING"]],
    ["?status=successful", ["one"]],
    ["?status=failed", ["two_FAIL"]],
    ["?status=reversed", []],
    ["?category=airtime", ["four", "one"]],
    ["?category=airtime&status=successful", ["one"]],
    ["?category=betting", []],
    ["?from=2026-11-02", ["four", "three_PENDING"]],
    ["?to=2026-11-01", ["two_FAIL", "one"]],
    ["?from=2026-11-01&to=2026-11-01&category=data", ["two_FAIL"]],
    ["?category=airtime&limit=1&page=2", ["one"]],
  ])("is narrowed down by %s", async (query, expected) => {
    expect(await references(query)).toEqual(expected);
  });

  test.each(["?status=lost", "?category=water", "?from=soon", "?limit=101", "?page=0"])("refuses %s", async (query) => {
    const reply = await call("GET", `/bills${query}`);
    expect([reply.statusCode, reply.json().code]).toEqual([422, "validation_failed"]);
  });

  test("shows nobody another's bills", async () => {
    expect((await call("GET", "/bills", { key: otherMerchant.secretKey })).json().data).toEqual([]);
  });

  test("finds by reference with a POST, and knows no other", async () => {
    const status = (body: unknown) => call("POST", "/bills/status", { body });
    expect((await status({ reference: "one" })).json().data.status).toBe("successful");
    const unknown = await status({ reference: "ONE" });
    expect([unknown.statusCode, unknown.json().code]).toEqual([404, "bill_not_found"]);
    expect((await status({})).statusCode).toBe(422);
    const others = await call("POST", "/bills/status", { body: { reference: "one" }, key: otherMerchant.secretKey });
    expect(others.statusCode).toBe(404);
  });
});
