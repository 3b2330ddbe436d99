/** Everything here goes through a real socket: what a hostile or broken client sends must never become a 5xx. */
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../../../../testing/app.ts";
import { type RawRequest, rawRequest, sendRaw } from "../../../../testing/platform/raw-http.ts";
import { oddRoutes, orderRoutes } from "../../../../testing/platform/routes.ts";

const testing: TestApp = await createTestApp({
  extraRoutes: [...orderRoutes(), ...oddRoutes(() => testing.db)],
});
await testing.app.listen({ port: 0, host: "127.0.0.1" });
const { port } = testing.app.server.address() as AddressInfo;

const authorization = `Bearer ${testing.merchant.secretKey}`;
const json = { Authorization: authorization, "Content-Type": "application/json" };
const good = '{"amount":1,"currency":"NGN"}';

async function send(
  request: Partial<RawRequest>,
): Promise<{ status: number; body: Record<string, unknown>; headers: Readonly<Record<string, string>> }> {
  const reply = await sendRaw(port, rawRequest({ path: "/orders", headers: json, ...request }));
  return { ...reply, body: JSON.parse(reply.body) };
}

const outcomeOf = async (request: Partial<RawRequest>): Promise<unknown> => {
  const { status, body } = await send(request);
  return [status, body["code"]];
};

describe.each(["/orders", "/loans/orders"])("a body sent to %s", (path) => {
  const idField = path.startsWith("/loans") ? "request_id" : "requestId";

  test.each([
    ["broken JSON", { body: '{"amount":' }, 400, "invalid_json"],
    ["bytes that are not UTF-8", { body: Buffer.from([0x22, 0xff, 0xfe, 0x22]) }, 400, "invalid_json"],
    [
      "a form",
      { body: "amount=1", headers: { ...json, "Content-Type": "application/x-www-form-urlencoded" } },
      415,
      "unsupported_media_type",
    ],
    ["no content type", { body: good, headers: { Authorization: authorization } }, 415, "unsupported_media_type"],
    [
      "a senseless content type",
      { body: good, headers: { ...json, "Content-Type": "%%%;;" } },
      415,
      "unsupported_media_type",
    ],
    ["text", { body: good, headers: { ...json, "Content-Type": "text/plain" } }, 415, "unsupported_media_type"],
    ["more than a MiB", { body: `{"note":"${"x".repeat(1_100_000)}"}` }, 413, "body_too_large"],
    ["nothing", { body: "" }, 422, "validation_failed"],
    ["no body and no content type", { headers: { Authorization: authorization } }, 422, "validation_failed"],
    ["a list", { body: "[]" }, 422, "validation_failed"],
    ["null", { body: "null" }, 422, "validation_failed"],
    [
      "nesting a hundred thousand deep",
      { body: `${"[".repeat(100_000)}${"]".repeat(100_000)}` },
      413,
      "body_too_large",
    ],
    [
      "deep nesting in an unknown field",
      { body: `{"amount":1,"currency":"NGN","x":${"[".repeat(100_000)}${"]".repeat(100_000)}}` },
      413,
      "body_too_large",
    ],
    ["a NUL character", { body: '{"amount":1,"currency":"NGN","note":"a\\u0000"}' }, 422, "validation_failed"],
    ["an unpaired surrogate", { body: '{"amount":1,"currency":"NGN","note":"\\ud800"}' }, 422, "validation_failed"],
    ["__proto__", { body: '{"amount":1,"currency":"NGN","__proto__":{"admin":true}}' }, 201, undefined],
    [
      "constructor.prototype",
      { body: '{"amount":1,"currency":"NGN","constructor":{"prototype":{"admin":true}}}' },
      201,
      undefined,
    ],
    ["a repeated field", { body: '{"amount":1,"amount":2,"currency":"NGN"}' }, 201, undefined],
    ["an unknown field", { body: '{"amount":1,"currency":"NGN","colour":"red"}' }, 201, undefined],
    ["text for a number", { body: '{"amount":"1","currency":"NGN"}' }, 422, "validation_failed"],
    ["three decimals", { body: '{"amount":1.005,"currency":"NGN"}' }, 422, "validation_failed"],
    ["a number beyond all numbers", { body: '{"amount":1e999,"currency":"NGN"}' }, 422, "validation_failed"],
  ])("%s is answered as the contract says", async (_, request, status, code) => {
    const reply = await send({ path, ...request });
    expect([reply.status, reply.body["code"]]).toEqual([status, code]);
    if (code !== undefined) expect(reply.body[idField]).toBe(reply.headers["x-request-id"]);
  });

  test("names each bad field", async () => {
    const { body } = await send({
      path,
      body: '{"amount":"1","note":"","items":[{"code":"a","amount":1},{"code":5}]}',
    });
    expect(body["errors"]).toEqual([
      { field: "currency", message: "is required" },
      { field: "amount", message: "must be a number" },
      { field: "note", message: "must have at least 1 character" },
      { field: "items[1].amount", message: "is required" },
      { field: "items[1].code", message: "must be a string" },
    ]);
  });
});

test("__proto__ in a body changes no object of ours", async () => {
  await send({
    body: '{"amount":1,"currency":"NGN","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
  });
  expect(Object.prototype).not.toHaveProperty("polluted");
});

describe("a query string", () => {
  test.each([
    ["page=-1", ["page"]],
    ["page=0", ["page"]],
    ["limit=101", ["limit"]],
    ["page=one&limit=0", ["page", "limit"]],
    ["page=1&page=2", ["page"]],
    ["page=%00", ["page"]],
    ["search=a%00b", ["search"]],
    ["page=%ff%fe", ["page"]],
  ])("%s is refused by field", async (query, fields) => {
    const { status, body } = await send({ method: "GET", path: `/orders?${query}` });
    expect([status, body["code"]]).toEqual([422, "validation_failed"]);
    expect((body["errors"] as { field: string }[]).map((error) => error.field)).toEqual(fields);
  });

  test.each(["?", "?&&&=", "?%", "?a=%E0%A4%A", "?__proto__=1&constructor=2", `?${"a=1&".repeat(2_000)}`])(
    "%s is ignored where nobody asked for it",
    async (query) => {
      expect(await outcomeOf({ method: "GET", path: `/orders${query}` })).toEqual([200, undefined]);
    },
  );
});

describe("a path", () => {
  test.each([
    "/orders/not-an-id",
    "/orders/%00",
    "/orders/%2e%2e%2f",
    `/orders/${"x".repeat(5_000)}`,
    "/orders/",
    "//",
    "/orders/a/b",
  ])("%s is simply not found", async (path) => {
    expect(await outcomeOf({ method: "GET", path })).toEqual([404, "not_found"]);
  });

  test.each(["/orders/%", "/loans/orders/%E0%A4%A"])("%s with a broken escape cannot be read", async (path) => {
    expect(await outcomeOf({ method: "GET", path })).toEqual([400, "invalid_request"]);
  });
});

describe("HTTP itself", () => {
  const general = { status: false, errors: [], data: null, requestId: expect.any(String) };

  test.each([
    ["garbage", "\0\0\0\0 hello\r\n\r\n", 400, "invalid_request"],
    ["a senseless version", "GET / HTTP/9.9\r\n\r\n", 400, "invalid_request"],
    ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "invalid_request"],
    [
      "two lengths",
      "POST /orders HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
      400,
      "invalid_request",
    ],
    [
      "length and chunks",
      "POST /orders HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
      "invalid_request",
    ],
    ["a header without a name", "GET /orders HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n", 400, "invalid_request"],
    ["no host", "GET /orders HTTP/1.1\r\n\r\n", 400, "invalid_request"],
    ["two hosts", "GET /orders HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400, "invalid_request"],
    ["one host twice", "GET /orders HTTP/1.1\r\nHost: a\r\nX: y\r\nhOST: a\r\n\r\n", 400, "invalid_request"],
    ["two hosts in HTTP/1.0", "GET /orders HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", 400, "invalid_request"],
    [
      "a flood of headers",
      `GET /orders HTTP/1.1\r\nHost: a\r\n${Array.from({ length: 3_000 }, (_, n) => `X-${n}: ${n}`).join("\r\n")}\r\n\r\n`,
      431,
      "headers_too_large",
    ],
    [
      "one huge header",
      `GET /orders HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(100_000)}\r\n\r\n`,
      431,
      "headers_too_large",
    ],
    ["a huge path", `GET /${"x".repeat(100_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431, "headers_too_large"],
    [
      "broken chunks",
      `POST /orders HTTP/1.1\r\nHost: a\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      400,
      "invalid_request",
    ],
  ])("%s gets our body", async (_, bytes, status, code) => {
    const reply = await sendRaw(port, bytes);
    expect([reply.status, JSON.parse(reply.body)]).toEqual([status, { ...general, code, message: expect.any(String) }]);
    expect(reply.headers).toMatchObject({ "api-version": "2026-11-01", "x-request-id": expect.any(String) });
    expect(reply.headers["link"]).toMatch(/\/docs\/errors#\w+>; rel="help"$/);
  });

  test.each(["PROPFIND", "TRACE", "M-SEARCH"])("the method %s is answered 405", async (method) => {
    expect(await outcomeOf({ method })).toEqual([405, "method_not_allowed"]);
  });

  test.each([`Bearer ${"x".repeat(8_000)}`, "Bearer", "Basic abc", "Bearer \xff\xfe", "Bearer a b", ","])(
    "the authorization %j is refused with 401",
    async (value) => {
      const { status } = await send({ method: "GET", headers: { Authorization: value } });
      expect(status).toBe(401);
    },
  );

  test.each(["", " ", "a b", "x".repeat(256), "schlüssel"])(
    "the Idempotency-Key %j is refused by name",
    async (key) => {
      const { status, body } = await send({ body: good, headers: { ...json, "Idempotency-Key": key } });
      expect([status, body["errors"]]).toEqual([422, [expect.objectContaining({ field: "Idempotency-Key" })]]);
    },
  );

  test("a strange Host does no harm, also to the reference page", async () => {
    for (const path of ["/docs", "/docs/", "/docs/reference", "/orders"]) {
      const reply = await sendRaw(port, rawRequest({ method: "GET", path, headers: { ...json, Host: "[[[%%" } }));
      expect(reply.status).toBe(200);
    }
  });
});

test("a body far beyond the limit is refused while it is still being sent", async () => {
  const headers = { authorization, "content-type": "application/json" };
  const reply = await fetch(`http://127.0.0.1:${port}/orders`, {
    method: "POST",
    headers,
    body: "x".repeat(50_000_000),
  });
  expect([reply.status, await reply.json()]).toEqual([413, expect.objectContaining({ code: "body_too_large" })]);
});
