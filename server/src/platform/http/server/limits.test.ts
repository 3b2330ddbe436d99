import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createTestApp, type TestApp } from "../../../../testing/app.ts";
import { issueKeyFor } from "../../../../testing/keys.ts";
import { oddRoutes } from "../../../../testing/platform/routes.ts";

const testing: TestApp = await createTestApp({ rateLimit: 3, trustProxy: 1, extraRoutes: oddRoutes(() => testing.db) });
const { call } = testing;

// Nothing comes back into a bucket while a test runs, however long that takes.
beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

async function statusesOf(count: number, send: () => Promise<{ statusCode: number }>): Promise<number[]> {
  const replies = await Promise.all(Array.from({ length: count }, send));
  return replies.map((reply) => reply.statusCode);
}

const countOf = (statuses: number[], status: number): number => statuses.filter((one) => one === status).length;

describe("the limit of a key", () => {
  test("lets a burst of twice the rate through and then refuses with the time to wait", async () => {
    const key = await issueKeyFor(testing.db, testing.merchant.environment.id);
    await call("GET", "/orders", { key });
    const statuses = await statusesOf(12, () => call("GET", "/orders", { key }));
    expect([countOf(statuses, 200), countOf(statuses, 429)]).toEqual([5, 7]);
    const refused = await call("GET", "/orders", { key });
    expect(refused.json()).toMatchObject({ code: "rate_limited", status: false });
    expect(refused.headers).toMatchObject({ "retry-after": "1", "ratelimit-limit": "6", "ratelimit-remaining": "0" });
  });

  test("is told with every answer", async () => {
    const key = await issueKeyFor(testing.db, testing.merchant.environment.id);
    const reply = await call("GET", "/orders", { key });
    expect(reply.headers).toMatchObject({ "ratelimit-limit": "6", "ratelimit-remaining": "5", "ratelimit-reset": "1" });
  });

  test("counts a route with its own bucket apart, and each key for itself", async () => {
    const key = await issueKeyFor(testing.db, testing.merchant.environment.id);
    expect(countOf(await statusesOf(20, () => call("GET", "/orders", { key })), 429)).toBeGreaterThan(0);
    expect((await call("GET", "/odd/wait", { key })).statusCode).toBe(200);
    expect((await call("GET", "/orders", { key: testing.otherMerchant.secretKey })).statusCode).toBe(200);
  });
});

describe("an address that keeps sending refused keys", () => {
  const guess = (address: string) =>
    call("GET", "/orders", { key: "sk_test_guess", headers: { "x-forwarded-for": address } });

  test("is slowed down, and its neighbours are not", async () => {
    const statuses = await statusesOf(40, () => guess("203.0.113.7"));
    expect(countOf(statuses, 401)).toBeGreaterThanOrEqual(30);
    const refused = await guess("203.0.113.7");
    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "1"]);
    expect((await guess("203.0.113.8")).statusCode).toBe(401);
  });

  test("does not lock out a right key, nor the operator, behind the same address", async () => {
    const headers = { "x-forwarded-for": "203.0.113.9" };
    const key = await issueKeyFor(testing.db, testing.merchant.environment.id);
    const guessAndEnter = (path: string, wrong: string, right: string) =>
      Promise.all([...Array(40).fill(wrong), right, wrong].map((one) => call("GET", path, { key: one, headers })));
    await guessAndEnter("/orders", "sk_test_guess", key);
    for (const [path, wrong, right] of [
      ["/orders", "sk_test_guess", key],
      ["/operator/merchants", "op_guess", testing.operatorToken],
    ] as const) {
      const statuses = (await guessAndEnter(path, wrong, right)).map((reply) => reply.statusCode);
      expect(statuses.slice(0, 40)).toContain(429);
      expect(statuses[40]).toBe(200);
    }
  });

  test("cannot escape by changing within its IPv6 network", async () => {
    const network = Array.from({ length: 40 }, (_, host) => `2001:db8:1:2::${host + 1}`);
    await Promise.all(network.map(guess));
    expect((await guess("2001:db8:1:2:ffff::1")).statusCode).toBe(429);
    expect((await guess("2001:db8:1:3::1")).statusCode).toBe(401);
  });
});
