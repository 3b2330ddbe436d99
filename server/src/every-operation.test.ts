/**
 * What every operation refuses before it begins: the wrong key, the wrong scope, the wrong body. Each is asked of each
 * operation, so that none can be added that forgets one.
 */
import { type TSchema, Type } from "typebox";
import { beforeAll, describe, expect, test } from "vitest";
import { createTestApp } from "../testing/app.ts";
import { testOrigin } from "../testing/factories.ts";
import { issueKeyFor, issueLiveKeyFor } from "../testing/keys.ts";
import { issueKey } from "./auth/issue-key.ts";
import { inEnvironment, operatorScope } from "./platform/database/database.ts";
import { codesOf } from "./platform/http/openapi/errors.ts";
import { isDocumented, type Route } from "./platform/http/route.ts";
import { defaultBodyLimitBytes } from "./platform/http/server/server.ts";
import { appRoutes } from "./start/app.ts";

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
/** Those of people want a session before anything else: console/every-route.test.ts and every-member-route.test.ts ask. */
const isForPeople = ({ guard }: Route) => guard === "person" || guard === "member";
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

describe("with a key that has ended, or is not for this address", () => {
  const spare = { environmentId: merchant.environment.id, name: "Spare", origin: testOrigin };
  const issue = (limits: object) =>
    inEnvironment(db, operatorScope, async (tx) => (await issueKey(tx, { ...spare, ...limits })).key);

  test.each([
    ["key_expired", { expiresAt: new Date(0) }],
    ["address_not_allowed", { allowedAddresses: ["203.0.113.7"] }],
  ])("%s", async (code, limits) => {
    const key = await issue(limits);
    for (const [, route] of keyRoutes) expect(await codeOf(route, { key })).toBe(code);
  });
});

describe("with a live key, what steers a sandbox", () => {
  test.each(withCode("sandbox_only"))("%s", async (_, route) => {
    expect(await codeOf(route, { key: liveKey })).toBe("sandbox_only");
  });
});

describe("with an id that nobody has", () => {
  const withIds = routes.filter((route) => route.method === "GET" && route.path.includes("{") && !isForPeople(route));

  test.each(withIds.map(named))("%s", async (_, route) => {
    expect(await codeOf(route, { query: requiredQuery(route) })).toMatch(/^([a-z_]+_)?not_found$/);
  });
});

describe("for a media type that it does not have", () => {
  test.each(withCode("not_acceptable"))("%s", async (_, route) => {
    expect(await codeOf(route, { headers: { accept: "image/png" } })).toBe("not_acceptable");
  });
});

const documented = routes.filter(isDocumented);

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

describe("with the Idempotency-Key of another request", () => {
  // A whole catalogue has its own test.
  const posts = withCode("idempotency_key_conflict").filter(
    ([name, route]) => route.guard !== "page" && !isForPeople(route) && name !== "POST /operator/bills/catalogues",
  );
  const headers = { ...json, "idempotency-key": "taken" };
  const send = (url: string, body: object, key: string) =>
    app.inject({ method: "POST", url, headers: { ...headers, authorization: `Bearer ${key}` }, payload: body });

  beforeAll(async () => {
    const funded = await send("/sandbox/wallets/fund", { amount: 100 }, merchant.secretKey);
    const made = await send("/operator/merchants", { name: "Suya Spot", email: "suya@example.com" }, operatorToken);
    expect([funded.statusCode, made.statusCode]).toEqual([201, 201]);
    // What a TV or betting order stands on.
    const { call } = testing;
    await call("POST", "/bills/tv/validate", { body: { provider: "dstv", smartCardNumber: "7023456789" } });
    await call("POST", "/bills/betting/validate", { body: { provider: "bet9ja", customerId: "1234567" } });
  });

  /** Where one example of each field does not make a whole. */
  const bodies: Readonly<Record<string, object>> = {
    "POST /sandbox/clock/advance": { seconds: 0 },
    "POST /bills/tv/vend": {
      provider: "dstv",
      smartCardNumber: "7023456789",
      packageCode: "dstv-compact",
      subscriptionType: "change",
      phoneNumber: "08031234567",
      reference: "tv-1",
    },
    "POST /bills/betting/vend": { provider: "bet9ja", customerId: "1234567", amount: 500, reference: "bet-1" },
  };

  test.each(posts)("%s", async (name, route) => {
    const payload = JSON.stringify(bodies[name] ?? exampleOf(route.body));
    expect(await codeOf(route, { headers, payload })).toBe("idempotency_key_conflict");
  });
});

/** A body that fits the schema, by the schema's own example or by those of its fields. */
function exampleOf(schema: TSchema | undefined): unknown {
  const { examples } = (schema ?? {}) as { readonly examples?: readonly unknown[] };
  return examples?.[0] ?? Object.fromEntries(requiredFields(schema));
}

/** Something that no field takes: too long for a word, not a number, not a date. */
const nonsense = "?".repeat(3_000);

describe("with nonsense", () => {
  const checked = withCode("validation_failed").filter(
    ([, route]) => route.method !== "POST" && route.guard !== "page" && !isForPeople(route),
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

/** What a GET must be asked with. */
function requiredQuery({ query }: Route): string {
  return `?${new URLSearchParams(requiredFields(query).map(([name, value]) => [name, String(value)]))}`;
}

/** The fields that must be there, with their examples. */
function requiredFields(schema: TSchema | undefined): [string, unknown][] {
  return Object.entries(propertiesOf(schema)).flatMap(([name, field]): [string, unknown][] => {
    const { examples = [] } = field as { readonly examples?: readonly unknown[] };
    return examples.length === 0 || Type.IsOptional(field) ? [] : [[name, examples[0]]];
  });
}
