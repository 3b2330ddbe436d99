import SwaggerParser from "@apidevtools/swagger-parser";
import { describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../../testing/app.ts";
import { oddRoutes, orderRoutes } from "../../testing/platform/routes.ts";
import { codesOf } from "../platform/http/openapi/errors.ts";
import { exampleOf } from "../platform/http/openapi/example.ts";
import { foldSlices } from "../platform/slice-description.ts";
import { appRoutes, openApiDocument } from "./app.ts";
import { house, slices } from "./slices.ts";

const testing: TestApp = await createTestApp({ extraRoutes: [...orderRoutes(), ...oddRoutes(() => testing.db)] });
const { call } = testing;

interface Operation {
  readonly summary?: string;
  readonly description?: string;
  readonly operationId: string;
  readonly security?: unknown[];
  readonly requestBody?: { content: Record<string, { example?: unknown }> };
  readonly responses: Record<
    string,
    {
      description: string;
      content?: Record<string, { schema?: unknown; examples?: Record<string, { value: { code: string } }> }>;
    }
  >;
}

async function operationsOf(document: Record<string, unknown>): Promise<[string, Operation][]> {
  const written = JSON.parse(JSON.stringify(document));
  const resolved: { paths?: unknown } = await SwaggerParser.dereference(written);
  const paths = resolved.paths as Record<string, Record<string, Operation>>;
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );
}

describe("the OpenAPI document", () => {
  test.each(["/openapi.json", "/openapi.operator.json"])("is served at %s, and a validator accepts it", async (url) => {
    const reply = await call("GET", url, { key: null });
    expect(reply.statusCode).toBe(200);
    expect(reply.json().openapi).toBe("3.1.0");
    // A page loads all of it: what operations share is written once, so that one more costs little.
    const operations = Object.values<object>(reply.json().paths).flatMap((path) => Object.keys(path)).length;
    expect(reply.body.length / operations).toBeLessThan(5_400);
    await expect(SwaggerParser.validate(reply.json())).resolves.toBeDefined();
  });

  test.each([
    ["integrators", "key"],
    ["operators", "operator"],
  ] as const)("describes to %s every operation with examples and every error it can give", async (audience, guard) => {
    const all = appRoutes(testing.dependencies);
    const routes = all.filter((route) => route.guard === guard);
    const operations = new Map(await operationsOf(openApiDocument(all, "http://localhost:4000", audience)));
    expect(operations.size).toBe(routes.length);
    for (const route of routes) {
      const operation = operations.get(`${route.method} ${route.path}`);
      expect(operation?.description).toBeTruthy();
      expect(operation?.security).toHaveLength(1);
      const replies = operation?.responses ?? {};
      expect(exampleOf(replies[route.reply.status]?.content?.["application/json"]?.schema)).toHaveProperty("data");
      if (route.body !== undefined) expect(operation?.requestBody?.content["application/json"]?.example).toBeDefined();
      const told = Object.values(replies).flatMap((reply) =>
        Object.keys(reply.content?.["application/json"]?.examples ?? {}),
      );
      expect(told.sort()).toEqual(codesOf(route).sort());
    }
  });

  test("shows errors in the body of the route's family", async () => {
    const document = openApiDocument(orderRoutes(), "http://localhost:4000", "integrators");
    const bodies = (await operationsOf(document)).map(([name, { responses }]) => [
      name,
      Object.keys(responses["401"]?.content?.["application/json"]?.examples?.["missing_key"]?.value ?? {}),
    ]);
    expect(Object.fromEntries(bodies)).toMatchObject({
      "POST /orders": ["status", "message", "code", "errors", "data", "requestId"],
      "POST /loans/orders": ["status", "title", "message", "code", "errors", "data", "request_id"],
    });
  });

  test("gives each operation a name of its own", async () => {
    const routes = appRoutes(testing.dependencies);
    const names = (["integrators", "operators"] as const).map(async (audience) =>
      (await operationsOf(openApiDocument(routes, "", audience))).map(([, { operationId }]) => operationId),
    );
    const all = (await Promise.all(names)).flat();
    expect(new Set(all).size).toBe(all.length);
    expect(all.filter((name) => !/^[a-z]+([A-Z][a-z]*)*$/.test(name))).toEqual([]);
  });

  test("names the records that integrators know, once each", async () => {
    const { components } = (await call("GET", "/openapi.json", { key: null })).json();
    expect(Object.keys(components.schemas)).toEqual(
      expect.arrayContaining([
        "Transfer",
        "Bill",
        "Loan",
        "CheckoutLoan",
        "Wallet",
        "SubAccount",
        "Customer",
        "Event",
        "WebhookEndpoint",
        "Problem",
        "LoansProblem",
        "Timestamp",
        "Naira",
      ]),
    );
    expect(Object.keys(components.responses)).toEqual(expect.arrayContaining(["Unauthorized", "RateLimited"]));
    expect(Object.keys(components.parameters)).toEqual(expect.arrayContaining(["PageQuery", "IdempotencyKeyHeader"]));
  });
});

describe("the catalogue of problems", () => {
  test("refuses two meanings of one code", () => {
    const again = { problems: { internal: { status: 500, cause: "Again.", cure: "Wait." } } };
    expect(() => foldSlices([...slices, again])).toThrow("two slices have the problem internal");
  });

  test("has stable words, statuses and sentences", () => {
    for (const [code, { status, cause, cure }] of Object.entries(house.problems)) {
      expect(code).toMatch(/^[a-z]+(_[a-z0-9]+)*$/);
      expect(status).toBeGreaterThanOrEqual(400);
      for (const sentence of cure === undefined ? [cause] : [cause, cure]) expect(sentence).toMatch(/[.…]$/);
      expect(cause).toMatch(/^[A-Z]/);
    }
  });

  test("holds every code that a route names, or the app does not start", async () => {
    const [route] = orderRoutes();
    if (route === undefined) throw new Error("no route");
    await expect(createTestApp({ extraRoutes: [{ ...route, problems: ["no_such_problem"] }] })).rejects.toThrow(
      "POST /orders names problems that no catalogue has: no_such_problem",
    );
  });
});

describe("the reference page", () => {
  test("of operators is apart", async () => {
    const page = await call("GET", "/docs/operator", { key: null });
    expect(page.body).toContain('"url": "/openapi.operator.json"');
  });

  test("is one page that loads its script from here and allows no other", async () => {
    const page = await call("GET", "/docs/reference", { key: null });
    expect(page.statusCode).toBe(200);
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    const sources = [...page.body.matchAll(/src="([^"]+)"/g)].map((match) => match[1]);
    expect(sources).toEqual(["/docs/scalar.js"]);
    const policy = String(page.headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/script-src 'self'( 'sha256-[^']+')+;/);
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    const script = await call("GET", "/docs/scalar.js", { key: null });
    expect(script.statusCode).toBe(200);
  });
});

describe("/metrics", () => {
  test("counts requests by route pattern and shows the pool", async () => {
    await call("GET", "/orders/01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11");
    const page = (await call("GET", "/metrics", { key: null })).body;
    expect(page).toMatch(
      /jara_http_request_duration_seconds_count\{method="GET",route="\/orders\/:id",status="200"\} \d+/,
    );
    expect(page).toContain('jara_database_connections{state="idle"}');
    expect(page).not.toContain("01930b6e");
  });
});
