import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { describeRoute, type Reply, type Route } from "../../src/platform/http/route.ts";
import { commonProblem } from "../../src/platform/problem.ts";
import { house } from "../../src/start/slices.ts";
import { createTestApp } from "../app.ts";
import { createReplyBook } from "./reply-book.ts";

const data = Type.Object({ amount: Type.Unsafe<number>({ type: "integer" }) });

function odd(path: `/${string}`, handle: () => Promise<Reply<{ amount: number }>>, problems: string[] = []): Route {
  return describeRoute("key", {
    method: "POST",
    path,
    tag: "Sandbox",
    scope: "transfers:write",
    summary: "Odd",
    description: "For tests.",
    operationId: `odd${path.slice(1)}`,
    reply: { status: 201, message: "Done.", data },
    problems,
    handle,
  });
}

const routes = [
  odd("/declared", async () => ({ data: { amount: 1 } })),
  odd("/status", async () => ({ data: { amount: 1 }, status: 200 })),
  odd("/header", async () => ({ data: { amount: 1 }, headers: { "jara-mood": "good" } })),
  odd("/code", () => Promise.reject(commonProblem("reference_conflict", { data: { fields: ["amount"] } }))),
  odd("/data", () => Promise.reject(commonProblem("reference_conflict", { data: { fields: ["amount"], guess: 1 } })), [
    "reference_conflict",
  ]),
  odd("/no-data", () => Promise.reject(commonProblem("reference_conflict")), ["reference_conflict"]),
  odd("/gone", () => Promise.reject(commonProblem("not_found")), ["not_found"]),
  odd("/wait", () => Promise.reject(commonProblem("unavailable"))),
];
const { call } = await createTestApp({ extraRoutes: routes });

describe("a test is told of a reply", () => {
  test.each([
    ["/status", 'POST /status returned 200. Declare it: add also: { 200: "<what it means>" } to the reply'],
    ["/header", "POST /header returned 201 with the header jara-mood. Declare it: add it to reply.headers"],
    ["/code", 'POST /code was refused with reference_conflict. Declare it: add "reference_conflict" to the problems'],
    ["/data", "Give reference_conflict in its errors.ts the schema of its data"],
    ["/no-data", "Give reference_conflict in its errors.ts the schema of its data"],
    ["/wait", "POST /wait returned 503 (unavailable) without the header Retry-After"],
  ])("that is not declared: %s", async (path, message) => {
    await expect(call("POST", path)).rejects.toThrow(message);
  });

  test("only then", async () => {
    expect((await call("POST", "/declared")).statusCode).toBe(201);
  });
});

test("not_found is the operation's own where it declares it, and else the router's", () => {
  const book = createReplyBook(routes, house.problems);
  const reply = { method: "POST", status: 404, headers: { "content-type": "application/json" } };
  const originOf = (url: string) => book.originOf({ ...reply, url, body: '{"code":"not_found"}' }).route?.path;
  expect([originOf("/gone"), originOf("/declared")]).toEqual(["/gone", undefined]);
});

describe("a body", () => {
  const book = createReplyBook(routes, house.problems);
  const headers = { "content-type": "application/json", "x-request-id": "req_1", "api-version": "2026-11-01" };
  const reply = { method: "POST", url: "/declared", status: 201, headers };
  const faults = (body: object) => book.faultsOf({ ...reply, body: JSON.stringify(body) });

  test.each([
    ["with a field that nobody declared", { status: true, message: "Done.", data: { amount: 1, hint: "x" } }, "/data"],
    ["without a declared field", { status: true, message: "Done.", data: {} }, "/data"],
    ["with another type", { status: true, message: "Done.", data: { amount: "1" } }, "/data/amount"],
  ])("%s does not fit", (_, body, place) => {
    expect(faults(body)).toEqual([expect.stringContaining(`  at ${place}: `)]);
  });

  test("as it is declared fits", () => {
    expect(faults({ status: true, message: "Done.", data: { amount: 1 } })).toEqual([]);
  });
});
