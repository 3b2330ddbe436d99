import { describe, expect, test } from "vitest";
import { issueKeyFor } from "../../testing/keys.ts";
import { createPayingApp } from "../../testing/payments/paying-app.ts";

const { call, pay, work, merchant, otherMerchant, db } = await createPayingApp();

/** Ten minutes lie between two payouts; the last two are left waiting. */
const endings = ["", "_FAIL", "", "_PENDING", "_FAIL", "", "", ""];
const times: string[] = [];
for (const [n, ending] of endings.entries()) {
  const reply = await pay({ reference: `list-${n}${ending}` });
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
    ["from=2000-01-01&to=2000-01-31", []],
    ["to=1969-12-31", []],
    ["from=9998-01-01", []],
  ])("filtered by %s shows %j", async (query, expected) => {
    expect((await list(query)).references).toEqual(expected);
  });

  test("counts what a filter matches, not the page", async () => {
    expect(await list("status=completed&limit=1")).toMatchObject({ total: 3, pages: 3 });
  });

  test.each(["status=lost", "limit=101", "page=0", "from=yesterday", "to=2026-13-01"])("refuses %s", async (query) => {
    const reply = await call("GET", `/transfers?${query}`);
    expect([reply.statusCode, reply.json().code]).toEqual([422, "validation_failed"]);
  });

  test("shows nothing of another merchant's", async () => {
    for (const query of ["", "?status=completed", "?status=pending", `?from=${times[0]}`]) {
      const reply = await call("GET", `/transfers${query}`, { key: otherMerchant.secretKey });
      expect(reply.json()).toMatchObject({ data: [], pagination: { totalItems: 0 } });
    }
  });

  test("is not for a key without the scope", async () => {
    const key = await issueKeyFor(db, merchant.environment.id, { scopes: ["wallets:read"] });
    expect((await call("GET", "/transfers", { key })).statusCode).toBe(403);
  });
});
