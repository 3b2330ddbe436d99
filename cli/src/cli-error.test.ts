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

const cutOff = Object.assign(new TypeError("fetch failed"), {
  cause: Object.assign(new Error("socket hang up"), { code: "ECONNRESET" }),
});
const origin = "http://localhost:4000";
const connectionLost = (operation: string, causes: readonly unknown[]) =>
  new JaraConnectionError("No.", { operation, idempotencyKey: "key-1", attempts: causes.length, origin, causes });

test("nobody there is another thing than a lost reply", () => {
  expect(tell(connectionLost("POST /transfers", [refused, refused]))).toEqual({
    exitCode: 3,
    lines: [
      "No Jara server replies at http://localhost:4000. Start one with npm start, or name yours with --base-url.",
    ],
  });
  // The first try may have arrived, although the server was gone in the last one.
  expect(tell(connectionLost("POST /transfers", [cutOff, refused]))?.exitCode).toBe(6);
  expect(tell(connectionLost("GET /transfers", [cutOff, refused]))?.exitCode).toBe(3);
  expect(tell(new JaraTimeoutError("Too late.", { operation: "POST /transfers", ...lost }))?.exitCode).toBe(6);
  expect(tell(new JaraTimeoutError("Too late.", { operation: "GET /transfers", ...lost }))?.exitCode).toBe(3);
});

test("a reference that was used for something else names what differs", () => {
  const conflict = { ...refusal, status: 409, code: "reference_conflict", fields: [], data: { fields: ["amount"] } };
  expect(tell(new JaraApiError(conflict))?.lines[1]).toBe("  It differs in amount.");
});

test("a folder that somebody may not write to is no defect", () => {
  const error = Object.assign(new Error("EACCES"), { code: "EACCES", path: "/srv/x" });
  expect(tell(error)?.lines[0]).toBe(
    "/srv/x cannot be used (EACCES). Set JARA_HOME to a folder that you may write to.",
  );
});

test("a defect is not told away", () => {
  expect(tell(new TypeError("x is undefined"))).toBeUndefined();
});
