import { Type } from "typebox";
import { expect, test } from "vitest";
import { createTestApp } from "../../../../testing/app.ts";
import { describeRoute } from "../route.ts";

let word = "one";

const { call } = await createTestApp({
  extraRoutes: [
    describeRoute("key", {
      method: "GET",
      path: "/words",
      operationId: "listWords",
      tag: "Sandbox",
      scope: "sandbox:read",
      summary: "Read the word",
      description: "For tests.",
      reply: { status: 200, message: "Here.", data: Type.Object({ word: Type.String() }), cached: true },
      handle: async () => ({ data: { word } }),
    }),
  ],
});

const readWith = (known: string) => call("GET", "/words", { headers: { "if-none-match": known } });

test("a reply that the caller has already returns 304 and no body, until it changes", async () => {
  const first = await call("GET", "/words");
  expect(first.statusCode).toBe(200);
  expect(first.headers["cache-control"]).toBe("private, no-cache");
  const tag = String(first.headers["etag"]);
  expect(tag).toMatch(/^"[\w-]{43}"$/);

  for (const known of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
    const again = await readWith(known);
    expect([again.statusCode, again.body, again.headers["etag"]]).toEqual([304, "", tag]);
    expect(again.headers["x-request-id"]).toBeDefined();
  }

  word = "two";
  const changed = await readWith(tag);
  expect([changed.statusCode, changed.json().data]).toEqual([200, { word: "two" }]);
  expect(changed.headers["etag"]).not.toBe(tag);
});

test("a caller without a key is not told whether it is current", async () => {
  expect((await call("GET", "/words", { key: null, headers: { "if-none-match": "*" } })).statusCode).toBe(401);
});
