/** A path that leads nowhere says what it takes, or what was probably meant. */
import { describe, expect, test } from "vitest";
import { createTestApp } from "../../../../testing/app.ts";

const { call } = await createTestApp();
const uuid = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11";

describe("a word in the place of an id", () => {
  test.each([
    ["GET", "/loans/create", "POST, OPTIONS"],
    ["DELETE", "/loans/create", "POST, OPTIONS"],
    ["GET", "/loans/quote", "POST, OPTIONS"],
    ["PUT", "/transfers/bulk", "GET, HEAD, POST, OPTIONS"],
    ["GET", "/bills/status", "POST, OPTIONS"],
  ])("%s %s is refused with the methods that the path takes", async (method, path, allow) => {
    const reply = await call(method, path);
    expect([reply.statusCode, reply.json().code, reply.headers["allow"]]).toEqual([405, "method_not_allowed", allow]);
  });
});

describe("a path that is written a little differently", () => {
  test.each([
    ["GET", "/transfers/", "GET /transfers"],
    ["POST", "/transfers/", "POST /transfers"],
    ["GET", "/Transfers", "GET /transfers"],
    ["GET", "/transfer", "GET /transfers"],
    ["GET", "/loans/", "GET /loans"],
    ["GET", "/loans/Banks", "GET /loans/banks"],
    ["GET", "//transfers", "GET /transfers"],
    ["POST", "/loans/created", "POST /loans/create"],
    ["POST", "/loans/quotes", "POST /loans/quote"],
    ["POST", "/transfers/bulks", "POST /transfers/bulk"],
    ["POST", "/bills/statuses", "POST /bills/status"],
    ["GET", `/Bills/${uuid}`, "GET /bills/{id}"],
    ["GET", `/loans/bnpl/loan/${uuid}`, "GET /loans/bnpl/loans/{loanId}"],
  ])("%s %s is told %s", async (method, path, meant) => {
    const reply = await call(method, path);
    expect(reply.statusCode).toBe(404);
    expect(reply.json()).toMatchObject({ code: "not_found", message: expect.stringContaining(`Send ${meant};`) });
  });

  test("a version in front of a path is named in the cause, and what to send instead in the cure", async () => {
    const reply = await call("POST", "/v1/transfers?x=1");
    expect([reply.statusCode, reply.json().message]).toEqual([
      404,
      "There is no /v1/transfers. The path is /transfers. Send POST /transfers; paths do not begin with /v1.",
    ]);
  });

  test("a method that neither the path nor what was meant takes is refused with what the path takes", async () => {
    const reply = await call("DELETE", "/loans/created");
    expect([reply.statusCode, reply.json().code, reply.headers["allow"]]).toEqual([
      405,
      "method_not_allowed",
      "GET, HEAD, OPTIONS",
    ]);
    const own = await call("POST", `/loans/${uuid}`);
    expect([own.statusCode, own.json().code]).toEqual([405, "method_not_allowed"]);
  });

  test.each([
    ["/loans/abc", "loan_not_found"],
    ["/nowhere/at/all", "not_found"],
    [`/${"x".repeat(5_000)}`, "not_found"],
  ])("%s is not guessed at", async (path, code) => {
    const reply = await call("GET", path);
    expect([reply.statusCode, reply.json().code]).toEqual([404, code]);
    expect(reply.json().message).not.toContain("The path is");
  });
});
