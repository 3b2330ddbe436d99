import { JaraApiError, JaraConnectionError, JaraTimeoutError } from "@jara/sdk";
import { expect, test } from "vitest";
import { CliError, tell } from "./cli-error.ts";

const lost = { idempotencyKey: "key-1", attempts: 3 };
const refusal = {
  operation: "POST /transfers",
  status: 422,
  code: "validation_failed",
  message: "Some fields are wrong.",
  fields: [{ field: "amount", message: "is too small" }],
  data: null,
  requestId: "req_1",
  docsUrl: "http://localhost:4000/docs/errors#validation_failed",
  retryAfterSeconds: null,
  idempotencyKey: null,
};
const refused = Object.assign(new TypeError("fetch failed"), {
  cause: Object.assign(new Error("connect"), { code: "ECONNREFUSED" }),
});

test.each([
  ["our own", new CliError(2, "No."), 2, ["No."]],
  [
    "a refusal with its fields",
    new JaraApiError(refusal),
    5,
    [
      "Some fields are wrong.",
      "  amount is too small",
      "  validation_failed, request req_1",
      "  http://localhost:4000/docs/errors#validation_failed",
    ],
  ],
])("tells %s", (_, error, exitCode, lines) => {
  expect(tell(error)).toEqual({ exitCode, lines });
});

test("nobody there is another thing than a lost reply", () => {
  expect(
    tell(new JaraConnectionError("No.", { operation: "POST /transfers", ...lost, cause: refused }))?.exitCode,
  ).toBe(3);
  expect(tell(new JaraTimeoutError("Too late.", { operation: "POST /transfers", ...lost }))?.exitCode).toBe(6);
  expect(tell(new JaraTimeoutError("Too late.", { operation: "GET /transfers", ...lost }))?.exitCode).toBe(3);
});

test("a defect is not told away", () => {
  expect(tell(new TypeError("x is undefined"))).toBeUndefined();
});
