import { describe, expect, test } from "vitest";
import { issueKeyFor } from "../../../testing/keys.ts";
import { createPayingApp } from "../../../testing/payments/paying-app.ts";

const { call, pay, work, merchant, otherMerchant, db } = await createPayingApp();

/** Ten minutes lie between two payouts; the last two are left waiting. */
const endings = ["", "_FAIL", "", "_PENDING", "_FAIL", "", "", ""];
const times: string[] = [];
for (const [n, ending] of endings.entries()) {
  // Each a naira more than the one before, every second to another bank.
  const bankCode = n % 2 === 0 ? "044" : "058";
  const reply = await pay({ reference: `list-${n}${ending}`, amount: 1_000 + n, bankCode });
  times.push(reply.json().data.createdAt);
  if (n < 6) await work();
  await call("POST", "/sandbox/clock/advance", { body: { seconds: 600 } });
}

async function list(query: string): Promise<{ references: string[]; total: number; pages: number }> {
  const reply = await call("GET", `/transfers?${query}`);
  expect(reply.statusCode).toBe(200);
  const { data, pagination } = reply.json();
  return {
    references: data.map(({ reference }: { reference: string }) => reference.replace("list-", "")),
    total: pagination.totalItems,
    pages: pagination.totalPages,
  };
}

describe("the list of transfers", () => {
  test("is newest first, with exact totals on every page", async () => {
    expect(await list("")).toEqual({
      references: ["7", "6", "5", "4_FAIL", "3_PENDING", "2", "1_FAIL", "0"],
      total: 8,
      pages: 1,
    });
    expect(await list("page=2&limit=3")).toEqual({ references: ["4_FAIL", "3_PENDING", "2"], total: 8, pages: 3 });
    expect(await list("page=4&limit=3")).toEqual({ references: [], total: 8, pages: 3 });
    expect(await list("page=9007199254740991&limit=100&status=failed")).toMatchObject({ references: [], total: 2 });
  });

  test.each([
    ["status=completed", ["5", "2", "0"]],
    ["status=failed", ["4_FAIL", "1_FAIL"]],
    ["status=processing", ["3_PENDING"]],
    ["status=pending", ["7", "6"]],
    ["status=reversed", []],
    ["status=completed&limit=2&page=2", ["0"]],
    [`from=${times[6]}`, ["7", "6"]],
    [`to=${times[2]}`, ["1_FAIL", "0"]],
    [`from=${times[1]}&to=${times[4]}`, ["3_PENDING", "2", "1_FAIL"]],
    [`from=${times[1]}&to=${times[4]}&status=failed`, ["1_FAIL"]],
    ["status=failed,completed", ["5", "4_FAIL", "2", "1_FAIL", "0"]],
    ["status=pending,processing", ["7", "6", "3_PENDING"]],
    ["status=pending,failed", ["7", "6", "4_FAIL", "1_FAIL"]],
    ["status=pending,failed&limit=3&page=2", ["1_FAIL"]],
    ["status=completed,completed", ["5", "2", "0"]],
    ["bankCode=058", ["7", "5", "3_PENDING", "1_FAIL"]],
    ["bankCode=000013", ["7", "5", "3_PENDING", "1_FAIL"]],
    ["bankCode=011", []],
    ["minAmount=1006", ["7", "6"]],
    ["maxAmount=1001", ["1_FAIL", "0"]],
    ["minAmount=1003&maxAmount=1004", ["4_FAIL", "3_PENDING"]],
    ["minAmount=1000.01&maxAmount=1000.99", []],
    ["minAmount=1001&bankCode=058&status=completed,failed", ["5", "1_FAIL"]],
    [`bankCode=044&from=${times[1]}&to=${times[6]}`, ["4_FAIL", "2"]],
    ["bankCode=044&reference=list-0", ["0"]],
    ["bankCode=058&reference=list-0", []],
    ["from=2000-01-01&to=2000-01-31", []],
    ["to=1969-12-31", []],
    ["from=9998-01-01", []],
  ])("filtered by %s shows %j", async (query, expected) => {
    expect((await list(query)).references).toEqual(expected);
  });

  test("counts what a filter matches, not the page", async () => {
    expect(await list("status=completed&limit=1")).toMatchObject({ total: 3, pages: 3 });
  });

  test.each([
    ["status=lost", "status"],
    ["status=completed,lost", "status"],
    ["status=completed,", "status"],
    ["limit=101", "limit"],
    ["page=0", "page"],
    ["from=yesterday", "from"],
    ["to=2026-13-01", "to"],
    ["minAmount=1.005", "minAmount"],
    ["maxAmount=-1", "maxAmount"],
    ["minAmount=2&maxAmount=1", "maxAmount"],
    ["bankCode=", "bankCode"],
  ])("refuses %s", async (query, field) => {
    const reply = await call("GET", `/transfers?${query}`);
    expect([reply.statusCode, reply.json().code]).toEqual([422, "validation_failed"]);
    expect(reply.json().errors).toMatchObject([{ field }]);
  });

  test("refuses a bank that does not exist", async () => {
    const reply = await call("GET", "/transfers?bankCode=no-bank");
    expect([reply.statusCode, reply.json().code]).toEqual([422, "unknown_bank"]);
  });

  test("shows nothing of another merchant's", async () => {
    const filters = ["status=completed", "status=pending,failed", "bankCode=044", "minAmount=1", `from=${times[0]}`];
    for (const query of ["", ...filters.map((filter) => `?${filter}`)]) {
      const reply = await call("GET", `/transfers${query}`, { key: otherMerchant.secretKey });
      expect(reply.json()).toMatchObject({ data: [], pagination: { totalItems: 0 } });
    }
  });

  test("is not for a key without the scope", async () => {
    const key = await issueKeyFor(db, merchant.environment.id, { scopes: ["wallets:read"] });
    expect((await call("GET", "/transfers", { key })).statusCode).toBe(403);
  });
});
