/** How errors end a command: the first line says what is wrong, the code is for scripts, and a defect stays a defect. */
import { JaraConnectionError, JaraInputError, JaraTimeoutError } from "@jara/sdk";
import fc from "fast-check";
import { expect, test } from "vitest";
import { CliError, hasNotLeft, tell } from "./cli-error.ts";
import { exitCodes } from "./exit-codes.ts";

const withCode = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more });
const lost = (operation: string, causes: readonly unknown[], attempts = causes.length) =>
  new JaraConnectionError("No reply.", {
    operation,
    idempotencyKey: "k",
    attempts,
    origin: "http://localhost:4000",
    causes,
  });

test("every way to end has a number of its own", () => {
  const numbers = Object.values(exitCodes);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test("an error of the command's own is told as it stands", () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom(...Object.values(exitCodes)), (message, exitCode) => {
      expect(tell(new CliError(exitCode, message))).toEqual({ exitCode, lines: [message] });
    }),
  );
});

test.each(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"])(
  "a server that is not there (%s) is told with how to start one",
  (code) => {
    const told = tell(lost("POST /transfers", [withCode(code)]));
    expect(told?.exitCode).toBe(exitCodes.unreachable);
    expect(told?.lines[0]).toContain("No Jara server replies at http://localhost:4000. Start one with npm start");
  },
);

test.each([
  ["behind another error", new TypeError("fetch failed", { cause: withCode("ECONNREFUSED") }), true],
  ["far behind", new Error("a", { cause: new Error("b", { cause: withCode("ENOTFOUND") }) }), true],
  ["among several addresses", new AggregateError([withCode("ECONNREFUSED"), withCode("ETIMEDOUT")]), true],
  ["of a line that was cut", withCode("ECONNRESET"), false],
  ["of a wait that was too long", withCode("UND_ERR_HEADERS_TIMEOUT"), false],
  ["that is a text", "ECONNREFUSED", false],
  ["that is nothing", undefined, false],
])("a cause %s says that nothing left: %s", (_case, cause, left) => {
  expect(hasNotLeft(lost("POST /x", [cause]))).toBe(left);
});

test.each([
  ["one of two tries may have arrived", [withCode("ECONNREFUSED"), withCode("ECONNRESET")], 2],
  ["of one try nothing is known", [withCode("ECONNREFUSED")], 2],
])("%s: the outcome is unknown", (_case, causes, attempts) => {
  const told = tell(lost("POST /transfers", causes, attempts));
  expect(told?.exitCode).toBe(exitCodes.unknown);
  expect(told?.lines).toEqual([
    "The reply of http://localhost:4000 was lost: it may have happened.",
    "  Look for it before you send it again: jara search …",
  ]);
});

test("a question whose reply was lost has changed nothing", () => {
  expect(tell(lost("GET /transfers", [withCode("ECONNRESET")]))).toMatchObject({
    exitCode: exitCodes.unreachable,
    lines: [expect.stringContaining("Nothing was changed; ask again.")],
  });
});

test("a time that was up without any cause is an unknown outcome, not a missing server", () => {
  const error = new JaraTimeoutError("Late.", { operation: "POST /x", idempotencyKey: null, attempts: 1 });
  expect(tell(error)?.exitCode).toBe(exitCodes.unknown);
  expect(tell(error)?.lines[0]).toContain("The reply of the server was lost");
});

test("input that the client refuses is a matter of the command line", () => {
  expect(tell(new JaraInputError("amount is wrong."))).toEqual({
    exitCode: exitCodes.usage,
    lines: ["amount is wrong."],
  });
});

test.each(["EACCES", "EPERM", "EROFS", "ENOSPC", "ENOTDIR"])("a folder that cannot be used (%s) is named", (code) => {
  const told = tell(withCode(code, { path: "/home/ada/.jara" }));
  expect(told?.exitCode).toBe(exitCodes.unexpected);
  expect(told?.lines[0]).toContain(`/home/ada/.jara cannot be used (${code}). Set JARA_HOME`);
});

test.each([
  ["a defect", new TypeError("x is not a function")],
  ["a folder's error without a folder", withCode("EACCES")],
  ["another error of the file system", withCode("ENOENT", { path: "/x" })],
  ["a path that is no text", withCode("EACCES", { path: 3 })],
  ["a text", "no"],
  ["nothing", undefined],
  ["null", null],
])("%s is no sentence of ours", (_case, error) => {
  expect(tell(error)).toBeUndefined();
});
