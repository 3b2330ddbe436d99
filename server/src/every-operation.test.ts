/**
 * What every operation refuses before it begins: the wrong key, the wrong scope, the wrong body. Each is asked of each
 * operation, so that none can be added that forgets one.
 */
import { type TSchema, Type } from "typebox";
import { describe, expect, test } from "vitest";
import { createTestApp } from "../testing/app.ts";
import { issueKeyFor, issueLiveKeyFor } from "../testing/keys.ts";
import { appRoutes } from "./app.ts";
import { codesOf } from "./platform/http/openapi/errors.ts";
import type { Route } from "./platform/http/route.ts";
import { defaultBodyLimitBytes } from "./platform/http/server.ts";

const testing = await createTestApp();
const { app, db, merchant, operatorToken } = testing;
const routes = appRoutes(testing.dependencies);
const anyId = "01932c5f-1b2c-7d3e-8f40-5a6b7c8d9e0f";

interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  readonly payload?: string;
  readonly query?: string;
  readonly key?: string | null;
}

function keyFor(route: Route): string {
  return route.guard === "operator" ? operatorToken : merchant.secretKey;
}

async function codeOf(route: Route, { headers = {}, payload, query = "", key = keyFor(route) }: Asked) {
  const reply = await app.inject({
    method: route.method,
    url: `${route.path.replaceAll(/\{\w+\}/g, anyId)}${query}`,
    headers: { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers },
    ...(payload === undefined ? {} : { payload }),
  });
  return reply.json<{ code?: string }>().code;
}

const json = { "content-type": "application/json" };
const named = (route: Route): [string, Route] => [`${route.method} ${route.path}`, route];
const withCode = (code: string) => routes.filter((route) => codesOf(route).includes(code)).map(named);
const keyRoutes = routes.filter(({ guard }) => guard === "key").map(named);
const liveKey = await issueLiveKeyFor(db, merchant.merchant.id);
const scopelessKey = await issueKeyFor(db, merchant.environment.id, { scopes: ["nothing:read"] });

describe("without a key", () => {
  test.each(withCode("missing_key"))("%s", async (_, route) => {
    expect(await codeOf(route, { key: null })).toBe("missing_key");
  });
});

describe("with a key that nobody has", () => {
  test.each(withCode("invalid_key"))("%s", async (_, route) => {
    expect(await codeOf(route, { key: `jara_sk_test_${"0".repeat(40)}` })).toBe("invalid_key");
  });
});

describe("with a token that no page has", () => {
  test.each(withCode("invalid_page_token"))("%s", async (_, route) => {
    expect(await codeOf(route, { key: "nobody" })).toBe("invalid_page_token");
  });
});

describe("with a key of another scope", () => {
  test.each(keyRoutes)("%s", async (_, route) => {
    expect(await codeOf(route, { key: scopelessKey })).toBe("scope_missing");
  });
});

describe("with a live key, what steers a sandbox", () => {
  test.each(withCode("sandbox_only"))("%s", async (_, route) => {
    expect(await codeOf(route, { key: liveKey })).toBe("sandbox_only");
  });
});

describe("with an id that nobody has", () => {
  const withIds = routes.filter(({ method, path }) => method === "GET" && path.includes("{"));

  test.each(withIds.map(named))("%s", async (_, route) => {
    expect(await codeOf(route, { query: requiredQuery(route) })).toMatch(/^([a-z_]+_)?not_found$/);
  });
});

describe("for a media type that it does not have", () => {
  test.each(withCode("not_acceptable"))("%s", async (_, route) => {
    expect(await codeOf(route, { headers: { accept: "image/png" } })).toBe("not_acceptable");
  });
});

const documented = routes.filter(({ guard }) => guard !== "page");

describe("with a broken body", () => {
  const writes = documented.filter(({ method }) => method !== "GET").map(named);

  test.each(writes)("%s: no JSON", async (_, route) => {
    expect(await codeOf(route, { headers: json, payload: "{" })).toBe("invalid_json");
  });

  test.each(writes)("%s: another media type", async (_, route) => {
    const headers = { "content-type": "application/xml" };
    expect(await codeOf(route, { headers, payload: "<a/>" })).toBe("unsupported_media_type");
  });

  test.each(writes)("%s: too large", async (_, route) => {
    const payload = `{"a":"${"x".repeat(route.bodyLimitBytes ?? defaultBodyLimitBytes)}"}`;
    expect(await codeOf(route, { headers: json, payload })).toBe("body_too_large");
  });
});

describe("with a bad Idempotency-Key", () => {
  test.each(documented.filter(({ method }) => method === "POST").map(named))("%s", async (_, route) => {
    const headers = { ...json, "idempotency-key": "with a blank" };
    expect(await codeOf(route, { headers, payload: "{}" })).toBe("validation_failed");
  });
});

/** Something that no field takes: too long for a word, not a number, not a date. */
const nonsense = "?".repeat(3_000);

describe("with nonsense", () => {
  const checked = withCode("validation_failed").filter(
    ([, { method, guard }]) => method !== "POST" && guard !== "page",
  );

  test.each(checked)("%s", async (_, route) => {
    if (route.body === undefined) {
      const [name = "page"] = Object.keys(propertiesOf(route.query));
      expect(await codeOf(route, { query: `?${name}=${encodeURIComponent(nonsense)}` })).toBe("validation_failed");
      return;
    }
    const fields = Object.keys(propertiesOf(route.body)).map((name) => [name, { [nonsense]: [nonsense] }]);
    const payload = JSON.stringify(Object.fromEntries(fields));
    expect(await codeOf(route, { headers: json, payload })).toBe("validation_failed");
  });
});

function propertiesOf(schema: TSchema | undefined): Readonly<Record<string, unknown>> {
  return Type.IsObject(schema) ? schema.properties : {};
}

/** What a GET must be asked with, by the examples of its fields. */
function requiredQuery({ query }: Route): string {
  const fields = Object.entries(propertiesOf(query)).flatMap(([name, schema]): [string, string][] => {
    const { examples = [] } = schema as { readonly examples?: readonly unknown[] };
    return examples.length === 0 || Type.IsOptional(schema) ? [] : [[name, String(examples[0])]];
  });
  return `?${new URLSearchParams(fields)}`;
}
