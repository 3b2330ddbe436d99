import { describe, expect, test } from "vitest";
import { errorOf } from "../errors.ts";
import { isRepeatable, pauseOf, waitBeforeRetry } from "./retrying.ts";

const refused = (status: number, code: string, retryAfterSeconds: number | null = null) =>
  errorOf({
    operation: "POST /transfers",
    status,
    code,
    message: "",
    fields: [],
    data: null,
    requestId: null,
    docsUrl: null,
    retryAfterSeconds,
    idempotencyKey: "k",
  });
const rule = { maxRetries: 3, longestWaitMs: 10_000 };

test.each([
  ["GET", null, true],
  ["PUT", null, true],
  ["PATCH", null, true],
  ["POST", "key", true],
  ["POST", null, false],
  ["DELETE", null, false],
  ["DELETE", "key", false],
])("a %s with the key %j may be sent again: %s", (method, key, may) => {
  expect(isRepeatable(method, key)).toBe(may);
});

test.each([0, 1, 2, 5, 6, 50])("the pause before try %d grows, is never none and has an end", (attempt) => {
  const most = Math.min(8_000, 250 * 2 ** attempt);
  for (let round = 0; round < 50; round += 1) {
    expect(pauseOf(attempt)).toBeGreaterThanOrEqual(most / 2);
    expect(pauseOf(attempt)).toBeLessThanOrEqual(most);
  }
});

describe("before the next try", () => {
  test.each([
    [429, "rate_limited"],
    [503, "environment_busy"],
    [409, "idempotency_key_in_use"],
    [503, "unavailable"],
    [503, "ledger_busy"],
    [503, "bank_unavailable"],
    [503, "biller_unavailable"],
    [429, "unreadable_reply"],
    [502, "unreadable_reply"],
    [503, "unreadable_reply"],
    [504, "unreadable_reply"],
  ])("after %d %s there is a wait", (status, code) => {
    expect(waitBeforeRetry(refused(status, code), 0, rule)).toBeGreaterThan(0);
  });

  test.each([
    [500, "internal"],
    [500, "unreadable_reply"],
    [404, "unreadable_reply"],
    [200, "unreadable_reply"],
    [422, "insufficient_funds"],
    [409, "reference_conflict"],
    [429, "otp_limit_reached"],
    [503, "rail_not_configured"],
    [503, "a_code_of_tomorrow"],
  ])("%d %s stands: a second try would say the same, or do harm", (status, code) => {
    expect(waitBeforeRetry(refused(status, code, 1), 0, rule)).toBeNull();
  });

  test.each([
    [0, 250],
    [1, 1_000],
    [10, 10_000],
  ])("a Retry-After of %d s is kept to, and at least a pause is made", (seconds, atLeast) => {
    const wait = waitBeforeRetry(refused(503, "unavailable", seconds), 0, rule);
    expect(wait).toBeGreaterThanOrEqual(seconds === 0 ? atLeast / 2 : atLeast);
  });

  test("a longer one than may be waited for is not", () => {
    expect(waitBeforeRetry(refused(503, "unavailable", 10.1), 0, rule)).toBeNull();
  });
});
