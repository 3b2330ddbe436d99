/** Refusals over random bodies and headers: always an error of one class, never a fault of the reader. */
import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { errorOf, JaraApiError, JaraConnectionError, type Refusal } from "../errors.ts";
import { infoOf, parseBody, refusalOf } from "./reply.ts";
import { pauseOf, unreadableCode, waitBeforeRetry } from "./retrying.ts";

const received = (text: string, status = 422, headers: Record<string, string> = {}) => ({
  status,
  text,
  headers: new Headers(headers),
});
const refusal = (more: Partial<Refusal> = {}): Refusal => ({
  operation: "POST /transfers",
  status: 422,
  code: "x",
  message: "Said.",
  fields: [],
  data: null,
  requestId: null,
  docsUrl: null,
  retryAfterSeconds: null,
  idempotencyKey: "k",
  ...more,
});

test("whatever text comes, it is read as ours or left alone", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const body = parseBody(received(text));
      if (body !== undefined) expect(body).toHaveProperty("status");
    }),
  );
});

test("whatever stands in a refusal's members, the error has all of its own", () => {
  const body = fc.record(
    { code: fc.jsonValue(), message: fc.jsonValue(), errors: fc.jsonValue(), data: fc.jsonValue() },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(body, fc.integer({ min: 400, max: 599 }), (members, status) => {
      const error = refusalOf("POST /x", "k", received(JSON.stringify({ status: false, ...members }), status));
      expect(error).toBeInstanceOf(JaraApiError);
      expect(error.status).toBe(status);
      expect(error.code).toBe(typeof members.code === "string" ? members.code : unreadableCode);
      expect(typeof error.message).toBe("string");
      for (const { field, message } of error.fields)
        expect([typeof field, typeof message]).toEqual(["string", "string"]);
    }),
  );
});

test.each([
  [400, "x", "ValidationError"],
  [413, "x", "ValidationError"],
  [422, "x", "ValidationError"],
  [422, "insufficient_funds", "InsufficientFundsError"],
  [401, "x", "AuthenticationError"],
  [403, "x", "AuthenticationError"],
  [404, "x", "NotFoundError"],
  [409, "x", "ConflictError"],
  [429, "x", "RateLimitError"],
  [500, "x", "UnavailableError"],
  [599, "x", "UnavailableError"],
  [405, "x", "JaraApiError"],
  [418, "x", "JaraApiError"],
])("%d with the code %s is a %s", (status, code, name) => {
  const error = errorOf(refusal({ status, code }));
  expect(error.name).toBe(name);
  expect(error.constructor.name).toBe(name);
  expect(error.is("insufficient_funds")).toBe(code === "insufficient_funds");
});

test.each([
  [null, null],
  ["", null],
  ["  ", null],
  ["12", 12],
  ["-3", 0],
  ["1.5", 1.5],
  ["Tue, 17 Nov 2026 12:00:10 GMT", 10],
  ["Tue, 17 Nov 2026 11:00:00 GMT", 0],
  ["Tuesday, 17-Nov-26 12:00:10 GMT", 10],
  ["soon", null],
  ["1,5", null],
  ["in 5", null],
  ["2026", 2026],
  ["2026-11-17", null],
  ["0x10", null],
  ["99999999999", 99_999_999_999],
])("Retry-After %j at noon is %s seconds", (header, seconds) => {
  vi.useFakeTimers({ now: new Date("2026-11-17T12:00:00Z") });
  onTestFinished(() => void vi.useRealTimers());
  const headers = header === null ? {} : { "retry-after": header };
  expect(refusalOf("GET /x", null, received("{}", 503, headers)).retryAfterSeconds).toBe(seconds);
});

test.each([
  ['<https://j.example/docs/errors#x>; rel="help"', "https://j.example/docs/errors#x"],
  ["<https://j.example/h>; rel=help", "https://j.example/h"],
  ['<https://j.example/n>; rel="next", <https://j.example/h>; rel="help"', "https://j.example/h"],
  ['<https://j.example/n>; rel="next"', null],
  ["nonsense", null],
])("the link %s helps at %s", (link, docsUrl) => {
  expect(refusalOf("GET /x", null, received("{}", 404, { link })).docsUrl).toBe(docsUrl);
});

test("a passing refusal waits as long as it asks, never less than the pause and never longer than allowed", () => {
  fc.assert(
    fc.property(fc.nat({ max: 60 }), fc.nat({ max: 8 }), fc.nat({ max: 30_000 }), (seconds, attempt, longestWaitMs) => {
      const error = errorOf(refusal({ status: 429, code: "rate_limited", retryAfterSeconds: seconds }));
      const wait = waitBeforeRetry(error, attempt, { maxRetries: 3, longestWaitMs });
      if (seconds * 1_000 > longestWaitMs) expect(wait).toBeNull();
      else expect(wait).toBeGreaterThanOrEqual(Math.max(seconds * 1_000, 125));
    }),
  );
});

test("callers that failed together do not come back together", () => {
  const pauses = new Set(Array.from({ length: 50 }, () => pauseOf(5)));
  expect(pauses.size).toBeGreaterThan(10);
});

test.each([
  ["GET /transfers", null, "Nothing was changed; ask again."],
  ["POST /transfers", "key-1", '{ idempotencyKey: "key-1" }'],
  ["POST /transfers", null, "Read the record before you send this again."],
  ["DELETE /webhooks/w", null, "it may have happened"],
])("a lost reply to %s with the key %s says what to do", (operation, idempotencyKey, says) => {
  const error = new JaraConnectionError("No reply.", { operation, idempotencyKey, attempts: 2 });
  expect(error.message).toContain(says);
  expect(error).toMatchObject({ operation, idempotencyKey, attempts: 2, origin: null, causes: [] });
  expect("cause" in error).toBe(false);
});

test("of several causes the last is the cause, and none is lost", () => {
  const causes = [new Error("first"), new Error("last")];
  const error = new JaraConnectionError("No reply.", {
    operation: "GET /x",
    idempotencyKey: null,
    attempts: 2,
    causes,
  });
  expect(error.cause).toBe(causes[1]);
  expect(error.causes).toEqual(causes);
});

test.each([
  ["true", true],
  ["false", false],
  ["1", false],
])("Idempotent-Replayed %j means that it was done before: %s", (header, replayed) => {
  const info = infoOf("POST /x", "k", 2, received("{}", 200, { "idempotent-replayed": header }));
  expect(info).toMatchObject({ replayed, attempts: 2, warning: null, requestId: null });
});
