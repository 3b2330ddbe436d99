import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../../../../testing/app.ts";
import { issueKeyFor } from "../../../../testing/keys.ts";
import { oddRoutes, orderRoutes } from "../../../../testing/platform/routes.ts";
import { Problem } from "../../problem.ts";
import { errorBody } from "./envelope.ts";

const testing: TestApp = await createTestApp({ extraRoutes: [...orderRoutes(), ...oddRoutes(() => testing.db)] });
const { call } = testing;

const order = { amount: 2500.5, currency: "NGN" };
const anyId = expect.stringMatching(/^[0-9a-f-]{36}$/);

describe("success bodies", () => {
  test("the general family answers status true, message and data", async () => {
    const reply = await call("POST", "/orders", { body: order });
    expect(reply.statusCode).toBe(201);
    expect(reply.json()).toEqual({
      status: true,
      message: "Order made.",
      data: { id: anyId, amount: 2500.5, note: null },
    });
  });

  test("the loans family adds a title and says success", async () => {
    const reply = await call("POST", "/loans/orders", { body: order });
    expect(reply.json()).toEqual({
      status: "success",
      title: "Order",
      message: "Order made.",
      data: { id: anyId, amount: 2500.5, note: null },
    });
  });

  test("a list of the general family carries pagination", async () => {
    const reply = await call("GET", "/orders?page=2&limit=5");
    expect(reply.json()).toEqual({
      status: true,
      message: "Orders.",
      data: [],
      pagination: {
        currentPage: 2,
        totalPages: 0,
        totalItems: 0,
        itemsPerPage: 5,
        hasNextPage: false,
        hasPreviousPage: expect.any(Boolean),
      },
    });
  });
});

describe("error bodies", () => {
  const id = "not-an-id";

  test("the general family returns requestId", async () => {
    const reply = await call("GET", `/orders/${id}`, { headers: { "x-request-id": "mine-1" } });
    expect(reply.statusCode).toBe(404);
    expect(reply.json()).toEqual({
      status: false,
      message: expect.any(String),
      code: "not_found",
      errors: [],
      data: null,
      requestId: "mine-1",
    });
  });

  test("the loans family returns title and request_id", async () => {
    const reply = await call("GET", `/loans/orders/${id}`, { headers: { "x-request-id": "mine-2" } });
    expect(reply.statusCode).toBe(404);
    expect(reply.json()).toEqual({
      status: "error",
      title: "Not found",
      message: expect.any(String),
      code: "not_found",
      errors: [],
      data: null,
      request_id: "mine-2",
    });
  });

  test("letters that are no word stay capital in a title", () => {
    const problem = new Problem("otp_expired", { status: 422, cause: "The code has expired." });
    expect(errorBody("loans", problem, "mine-3")).toMatchObject({ title: "OTP expired" });
  });

  test.each([
    ["/nowhere", "requestId"],
    ["/loans/nowhere/at/all", "request_id"],
    ["/loansome", "requestId"],
  ])("an unknown path %s answers 404 in its family", async (path, idField) => {
    const reply = await call("POST", path, { body: order });
    expect(reply.statusCode).toBe(404);
    expect(reply.json()).toMatchObject({ code: "not_found", [idField]: reply.headers["x-request-id"] });
  });

  test.each(["/orders", "/loans/orders"])("another method on %s answers 405 and lists those allowed", async (path) => {
    const reply = await call("DELETE", path);
    expect(reply.statusCode).toBe(405);
    expect(reply.json()).toMatchObject({ code: "method_not_allowed" });
    expect(String(reply.headers["allow"]).split(", ")).toContain("POST");
  });

  test("every refusal leads to its code in the documentation, and a success leads nowhere", async () => {
    const links = await Promise.all(
      [
        call("POST", "/nowhere"),
        call("DELETE", "/loans/orders"),
        call("GET", "/odd/bug"),
        call("GET", "/orders", { key: null }),
        call("GET", "/orders"),
      ].map(async (reply) => (await reply).headers["link"]),
    );
    expect(links).toEqual([
      ...["not_found", "method_not_allowed", "internal", "missing_key"].map(
        (code) => `<http://localhost:4000/docs/errors#${code}>; rel="help"`,
      ),
      undefined,
    ]);
  });

  test("a bug answers 500 and tells nothing of its inside", async () => {
    const reply = await call("GET", "/odd/bug");
    expect(reply.statusCode).toBe(500);
    expect(reply.json()).toMatchObject({ status: false, code: "internal", data: null });
    expect(reply.body).not.toContain("secret");
    expect(reply.body).not.toContain("TypeError");
  });
});

describe("headers", () => {
  test("every answer names the version and the request, and hardens the browser", async () => {
    for (const path of ["/orders", "/nowhere", "/odd/bug", "/healthz"]) {
      const reply = await call("GET", path);
      expect(reply.headers).toMatchObject({
        "api-version": "2026-11-01",
        "x-request-id": expect.stringMatching(/^.{8,}$/),
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        "referrer-policy": "no-referrer",
      });
      expect(reply.headers).not.toHaveProperty("access-control-allow-origin");
    }
  });

  test("a request id that could harm a log is replaced", async () => {
    const reply = await call("GET", "/orders", { headers: { "x-request-id": 'a"} {"level":"fatal' } });
    expect(reply.headers["x-request-id"]).toMatch(/^req_\w+$/);
  });

  test("HEAD answers like GET without a body", async () => {
    const reply = await call("HEAD", "/orders");
    expect([reply.statusCode, reply.body]).toEqual([200, ""]);
  });

  test("OPTIONS lists the methods and opens no door to browsers", async () => {
    const reply = await call("OPTIONS", "/orders", { headers: { origin: "https://evil.example" } });
    expect(reply.statusCode).toBe(204);
    expect(reply.headers["allow"]).toBe("GET, HEAD, POST, OPTIONS");
    expect(reply.headers).not.toHaveProperty("access-control-allow-origin");
  });
});

describe("the guard", () => {
  test.each([
    [null, "missing_key"],
    ["", "missing_key"],
    ["sk_test_nonsense", "invalid_key"],
    [testing.operatorToken, "invalid_key"],
  ])("a request with the key %j is refused as %s", async (key, code) => {
    for (const path of ["/orders", "/loans/orders/x"]) {
      const reply = await call("GET", path, key === "" ? { key: null, headers: { authorization: "" } } : { key });
      expect([reply.statusCode, reply.json().code, reply.headers["www-authenticate"]]).toEqual([401, code, "Bearer"]);
    }
  });

  test("a key without the scope is told which one it lacks", async () => {
    const key = await issueKeyFor(testing.db, testing.merchant.environment.id, { scopes: ["bills:read"] });
    const reply = await call("GET", "/orders", { key });
    expect([reply.statusCode, reply.json()]).toEqual([
      403,
      expect.objectContaining({ code: "scope_missing", data: { scope: "transfers:read" } }),
    ]);
  });

  test("sandbox control refuses a live key", async () => {
    const made = await testing.operate("POST", `/operator/merchants/${testing.merchant.merchant.id}/environments`, {
      kind: "LIVE",
      name: "Live",
    });
    const live = await issueKeyFor(testing.db, made.json().data.id);
    const refused = await call("GET", "/odd/sandbox", { key: live });
    expect([refused.statusCode, refused.json().code]).toEqual([403, "sandbox_only"]);
    expect((await call("GET", "/odd/sandbox")).statusCode).toBe(200);
  });

  test("a secret key opens no operator path", async () => {
    const reply = await call("GET", "/operator/merchants");
    expect([reply.statusCode, reply.json().code]).toEqual([401, "invalid_key"]);
  });
});

test("a bug is logged with its cause and the request's id, a refusal is not", async () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const logged: TestApp = await createTestApp({ log, extraRoutes: oddRoutes(() => logged.db) });
  await logged.call("GET", "/nowhere");
  expect(lines).toEqual([]);
  const reply = await logged.call("GET", "/odd/bug");
  expect(lines).toMatchObject([
    { requestId: reply.headers["x-request-id"], route: "/odd/bug", err: { message: "the inner secret" } },
  ]);
});
