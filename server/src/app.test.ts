import SwaggerParser from "@apidevtools/swagger-parser";
import { describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../testing/app.ts";
import { oddRoutes, orderRoutes } from "../testing/routes.ts";
import { appRoutes, openApiDocument } from "./app.ts";
import { codesOf } from "./platform/http/openapi/errors.ts";
import { commonProblems } from "./platform/problem.ts";
import { mergeCatalogues, problemCatalogue } from "./problem-catalogue.ts";

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
      content?: Record<string, { example?: unknown; examples?: Record<string, { value: { code: string } }> }>;
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
  test("is served, and an independent validator accepts it", async () => {
    const reply = await call("GET", "/openapi.json", { key: null });
    expect(reply.statusCode).toBe(200);
    expect(reply.json().openapi).toBe("3.1.0");
    await expect(SwaggerParser.validate(reply.json())).resolves.toBeDefined();
  });

  test("describes every operation with examples and with every error it can give", async () => {
    const routes = appRoutes(testing.dependencies).filter((route) => route.guard !== "page");
    const operations = new Map(await operationsOf(openApiDocument(routes, "http://localhost:4000")));
    expect(operations.size).toBe(routes.length);
    for (const route of routes) {
      const operation = operations.get(`${route.method} ${route.path}`);
      expect(operation?.description).toBeTruthy();
      expect(operation?.security).toHaveLength(1);
      const replies = operation?.responses ?? {};
      expect(replies[route.reply.status]?.content?.["application/json"]?.example).toBeDefined();
      if (route.body !== undefined) expect(operation?.requestBody?.content["application/json"]?.example).toBeDefined();
      const told = Object.values(replies).flatMap((reply) =>
        Object.keys(reply.content?.["application/json"]?.examples ?? {}),
      );
      expect(told.sort()).toEqual(codesOf(route).sort());
    }
  });

  test("shows errors in the body of the route's family", async () => {
    const document = openApiDocument(orderRoutes(), "http://localhost:4000");
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
    const operations = await operationsOf(openApiDocument(appRoutes(testing.dependencies), ""));
    const names = operations.map(([, { operationId }]) => operationId);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe("the catalogue of problems", () => {
  test("refuses two meanings of one code", () => {
    expect(() => mergeCatalogues([commonProblems, { internal: { status: 500, message: "Again." } }])).toThrow(
      "internal",
    );
  });

  test("has stable words, statuses and sentences", () => {
    for (const [code, { status, message }] of Object.entries(problemCatalogue)) {
      expect(code).toMatch(/^[a-z]+(_[a-z0-9]+)*$/);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(message).toMatch(/^[A-Z].*[.…]$/);
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
  test("is one page that loads its script from here and allows no other", async () => {
    const page = await call("GET", "/docs", { key: null });
    expect(page.statusCode).toBe(200);
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    const sources = [...page.body.matchAll(/src="([^"]+)"/g)].map((match) => match[1]);
    expect(sources).toEqual(["/docs/scalar.js"]);
    const policy = String(page.headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/script-src 'self' 'sha256-[^']+'/);
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    const script = await call("GET", "/docs/scalar.js", { key: null });
    expect([script.statusCode, script.headers["content-encoding"]]).toEqual([200, "gzip"]);
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
