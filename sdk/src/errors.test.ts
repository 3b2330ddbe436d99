import { describe, expect, test } from "vitest";
import {
  AuthenticationError,
  ConflictError,
  errorOf,
  InsufficientFundsError,
  JaraApiError,
  JaraConnectionError,
  JaraError,
  JaraInputError,
  JaraTimeoutError,
  NotFoundError,
  RateLimitError,
  type Refusal,
  UnavailableError,
  ValidationError,
  WebhookSignatureError,
} from "./errors.ts";

const refusal = (status: number, code = "some_code"): Refusal => ({
  operation: "POST /transfers",
  status,
  code,
  message: "No.",
  fields: [{ field: "amount", message: "too small" }],
  data: { balance: 5 },
  requestId: "req_1",
  docsUrl: "http://jara.example/docs/errors#some_code",
  retryAfterSeconds: 3,
  idempotencyKey: "k",
});

test.each([
  [400, ValidationError],
  [401, AuthenticationError],
  [403, AuthenticationError],
  [404, NotFoundError],
  [409, ConflictError],
  [413, ValidationError],
  [422, ValidationError],
  [429, RateLimitError],
  [500, UnavailableError],
  [503, UnavailableError],
  [599, UnavailableError],
  [307, JaraApiError],
  [405, JaraApiError],
  [410, JaraApiError],
])("a %d becomes its own class, with all that the refusal says", (status, kind) => {
  const error = errorOf(refusal(status));
  expect(error.constructor).toBe(kind);
  expect(error).toBeInstanceOf(JaraError);
  expect(error.name).toBe(kind.name);
  const message = "No. amount too small.";
  expect({ ...error, message: error.message }).toEqual({
    ...refusal(status),
    name: kind.name,
    summary: "No.",
    message,
  });
});

test("the message names the fields that were refused, not too many of them, and nothing where none was", () => {
  const messageWith = (count: number) => {
    const fields = Array.from({ length: count }, (_, index) => ({ field: `f${index}`, message: "is required" }));
    return errorOf({ ...refusal(422), message: "Some fields are missing or wrong.", fields }).message;
  };
  expect(messageWith(0)).toBe("Some fields are missing or wrong.");
  expect(messageWith(2)).toBe("Some fields are missing or wrong. f0 is required; f1 is required.");
  expect(messageWith(12)).toMatch(/; f9 is required; and 2 more\.$/);
});

test("too little money has a class of its own, whatever the status", () => {
  for (const status of [402, 409, 422]) {
    expect(errorOf(refusal(status, "insufficient_funds"))).toBeInstanceOf(InsufficientFundsError);
  }
});

test("a code is asked for by name", () => {
  const error = errorOf(refusal(409, "reference_conflict"));
  expect([error.is("reference_conflict"), error.is("insufficient_funds")]).toEqual([true, false]);
});

describe("without a reply", () => {
  const outcome = (operation: string, idempotencyKey: string | null) => ({ operation, idempotencyKey, attempts: 2 });

  test.each([
    ["GET /transfers/{id}", null, "Nothing was changed; ask again."],
    ["POST /transfers", "k-1", 'Send the same call again with { idempotencyKey: "k-1" }'],
    ["POST /transfers", null, "Read the record before you send this again."],
    ["DELETE /webhooks/endpoints/{id}", null, "Read the record before you send this again."],
  ])("%s under the key %j says what to do", (operation, key, words) => {
    const error = new JaraConnectionError("No reply.", outcome(operation, key));
    expect(error.message).toContain(words);
    expect(error.message.includes("it may have happened")).toBe(!operation.startsWith("GET"));
  });

  test("the last cause leads the chain, and all of them are kept", () => {
    const causes = [new Error("first"), new Error("last")];
    const error = new JaraTimeoutError("Late.", { ...outcome("GET /x", null), origin: "http://x", causes });
    expect(error).toBeInstanceOf(JaraConnectionError);
    expect([error.cause, error.causes, error.origin, error.attempts]).toEqual([causes[1], causes, "http://x", 2]);
    expect(new JaraConnectionError("x", outcome("GET /x", null))).not.toHaveProperty("cause");
  });
});

test.each([
  [new JaraInputError("x"), "JaraInputError"],
  [new WebhookSignatureError("headers_missing", "x"), "WebhookSignatureError"],
])("%s is a JaraError and not a refusal", (error, name) => {
  expect([error instanceof JaraError, error instanceof JaraApiError, error.name]).toEqual([true, false, name]);
});
