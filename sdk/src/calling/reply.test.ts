/** Replies as they come: of Jara, of what stands between, cut off, and of both families. */
import { describe, expect, test, vi } from "vitest";
import { infoOf, notOurs, parseBody, type Received, refusalOf } from "./reply.ts";

function received(text: string, status = 422, headers: Record<string, string> = {}): Received {
  return { status, text, headers: new Headers(headers) };
}
const refused = (body: unknown, status = 422, headers: Record<string, string> = {}) =>
  refusalOf(
    "POST /transfers",
    "key-1",
    received(typeof body === "string" ? body : JSON.stringify(body), status, headers),
  );

test.each([
  ["a page", "<html></html>"],
  ["nothing", ""],
  ["half of itself", '{"status":true,"data":{'],
  ["a list", "[]"],
  ["a text", '"status"'],
  ["null", "null"],
  ["JSON of somebody else", '{"error":"no"}'],
])("%s is no body of ours", (_case, text) => {
  expect(parseBody(received(text))).toBeUndefined();
});

test("a body of ours is known by its status, whatever else is in it", () => {
  expect(parseBody(received('{"status":false,"more":1}'))).toEqual({ status: false, more: 1 });
});

describe("a refusal", () => {
  const body = {
    status: false,
    code: "validation_failed",
    message: "Check what you sent.",
    errors: [{ field: "daas_user.first_name", message: "is missing" }],
    data: { due_date: "2026-12-05", fields: ["account_number"] },
    request_id: "req_body",
  };

  test("names fields and data as the caller writes them", () => {
    expect(refused(body)).toMatchObject({
      code: "validation_failed",
      summary: "Check what you sent.",
      fields: [{ field: "daasUser.firstName", message: "is missing" }],
      data: { dueDate: "2026-12-05", fields: ["accountNumber"] },
      requestId: "req_body",
      idempotencyKey: "key-1",
      operation: "POST /transfers",
    });
  });

  test("has its request's id from the header where the body has none", () => {
    const { request_id: _, ...rest } = body;
    expect(refused(rest, 422, { "x-request-id": "req_header" }).requestId).toBe("req_header");
    expect(refused(rest).requestId).toBeNull();
  });

  test.each([
    ["a text", "no list"],
    ["texts in a list", ["amount"]],
    ["nothing", undefined],
  ])("whose errors are %s has none", (_case, errors) => {
    expect(refused({ ...body, errors }).fields).toEqual([]);
  });

  test.each([
    ["a list", []],
    ["a text", "data"],
    ["null", null],
  ])("whose data is %s has none", (_case, data) => {
    expect(refused({ ...body, data }).data).toBeNull();
  });

  test("of somebody else says so, with its status and kind", () => {
    const error = refused("<html>", 502, { "content-type": "text/html" });
    expect(error.message).toContain("The reply is not Jara's: status 502, text/html.");
    expect(error.status).toBe(502);
  });

  test("without even a content type says that", () => {
    expect(notOurs(received("", 500))).toContain("no content type");
  });
});

test.each([
  ['<https://jara.test/docs/errors#a>; rel="help"', "https://jara.test/docs/errors#a"],
  ["<https://jara.test/a>; rel=help", "https://jara.test/a"],
  ['<https://jara.test/next>; rel="next", <https://jara.test/help>; rel="help"', "https://jara.test/help"],
  ['<https://jara.test/next>; rel="next"', null],
  ["nonsense", null],
])("of the link %s the help is %s", (link, help) => {
  expect(refused({ status: false, code: "a" }, 422, { link }).docsUrl).toBe(help);
});

describe("how long to wait", () => {
  test.each([
    ["0", 0],
    ["7", 7],
    ["1.5", 1.5],
    ["-3", 0],
    ["", null],
    ["soon", null],
  ])("Retry-After: %j is %s seconds", (value, seconds) => {
    expect(refused({ status: false, code: "a" }, 429, { "retry-after": value }).retryAfterSeconds).toBe(seconds);
  });

  test("a date of a proxy is seconds from now, and none that has passed", () => {
    vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-17T08:00:00.000Z") });
    try {
      const until = (date: string) =>
        refused({ status: false, code: "a" }, 503, { "retry-after": date }).retryAfterSeconds;
      expect(until("Tue, 17 Nov 2026 08:00:30 GMT")).toBe(30);
      expect(until("Tue, 17 Nov 2026 07:00:00 GMT")).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

test("what is known of a reply besides its data is read from its headers", () => {
  const headers = { "x-request-id": "req_1", "idempotent-replayed": "true", "jara-warning": "unknown field: amout" };
  expect(infoOf("POST /transfers", "key-1", 2, received("", 201, headers))).toEqual({
    operation: "POST /transfers",
    status: 201,
    requestId: "req_1",
    idempotencyKey: "key-1",
    replayed: true,
    warning: "unknown field: amout",
    attempts: 2,
  });
  expect(infoOf("GET /x", null, 1, received("", 200))).toMatchObject({
    replayed: false,
    warning: null,
    requestId: null,
  });
});
