/** What every operation of people in an environment refuses before it begins: to keys, strangers, viewers, other sites. */
import type { TSchema } from "typebox";
import { describe, expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { fromPage, signIn } from "../../testing/console.ts";
import type { Route } from "../platform/http/route.ts";
import { defaultBodyLimitBytes } from "../platform/http/server/server.ts";
import { appRoutes } from "../start/app.ts";

type MemberRoute = Extract<Route, { readonly guard: "member" }>;

const testing = await createTestApp();
const ada = await signIn(testing, { email: "ada@example.com", role: "owner" });
const { merchant: theirs } = testing.otherMerchant;
const eve = await signIn(testing, { email: "eve@example.com", role: "owner", merchantId: theirs.id });
const viewer = await signIn(testing, { email: "viewer@example.com", role: "viewer" });

const someId = "01932c5e-0000-7000-8000-000000000000";
const door = `/console/api/environments/${testing.merchant.environment.id}`;
const pathOf = ({ path }: Route) => path.replaceAll(/\{\w+\}/g, someId);
const members = appRoutes(testing.dependencies)
  .filter((one): one is MemberRoute => one.guard === "member")
  .map((one): [string, MemberRoute] => [`${one.method} ${one.path}`, one]);
const changes = members.filter(([, { method }]) => method !== "GET");
const posts = members.filter(([, { method }]) => method === "POST");

/** Whether something has to be sent: what may be left out altogether takes other fields as well. */
const wantsFields = (body: TSchema): boolean => "oneOf" in body || ("required" in body && body.required !== undefined);

const signedIn = { cookie: ada.cookie, ...fromPage, "content-type": "application/json" };

async function codeOf(route: Route, headers: Readonly<Record<string, string>>, payload?: string) {
  const sent = payload === undefined ? {} : { payload };
  const url = door + pathOf(route);
  const reply = await testing.app.inject({ method: route.method, url, headers: { ...headers }, ...sent });
  return reply.json<{ code?: string }>().code;
}

test.each(members)("%s is not there for keys", async (_, one) => {
  for (const key of [testing.merchant.secretKey, null]) {
    const body = one.method === "GET" ? {} : { body: {} };
    const reply = await testing.call(one.method, pathOf(one), { key, ...body });
    expect([reply.statusCode, reply.json().code]).toEqual([404, "not_found"]);
  }
  const withKey = { ...fromPage, authorization: `Bearer ${testing.merchant.secretKey}` };
  expect(await codeOf(one, withKey)).toBe("not_signed_in");
});

test.each(members)("%s: a stranger's environment", async (_, one) => {
  expect(await codeOf(one, { ...signedIn, cookie: eve.cookie })).toBe("environment_not_found");
});

test.each(members.filter(([, { scope }]) => scope.endsWith(":write")))("%s: not for a viewer", async (_, one) => {
  const sent = one.method === "GET" ? undefined : "{}";
  expect(await codeOf(one, { ...signedIn, cookie: viewer.cookie }, sent)).toBe("scope_missing");
});

test.each(members.filter(([, { method, query }]) => method === "GET" && query !== undefined))(
  "%s: no such page",
  async (_, one) => {
    expect((await ada.call("GET", `${one.path}?page=0`)).json().code).toBe("validation_failed");
  },
);

test.each(posts)("%s: an Idempotency-Key that is none", async (_, one) => {
  expect(await codeOf(one, { ...signedIn, "idempotency-key": "with a blank" }, "{}")).toBe("validation_failed");
});

test("an Idempotency-Key that stands for something else", async () => {
  const keyed = { ...signedIn, "idempotency-key": "taken" };
  const payout = { accountNumber: "0690000032", bankCode: "044", amount: 500, currency: "NGN", reference: "taken" };
  const first = posts.find(([name]) => name === "POST /approvals");
  if (first === undefined) throw new Error("POST /approvals is gone");
  expect(await codeOf(first[1], keyed, JSON.stringify({ payout }))).toBeUndefined();
  const other = JSON.stringify({ payout: { ...payout, amount: 600 } });
  for (const [, one] of posts.filter(([, { keepsNothing }]) => keepsNothing !== true)) {
    expect(await codeOf(one, keyed, one === first[1] ? other : "{}")).toBe("idempotency_key_conflict");
  }
});

describe("with a broken body", () => {
  test.each(changes)("%s: from another site", async (_, one) => {
    expect(await codeOf(one, { ...signedIn, origin: "https://evil.example" }, "{}")).toBe("cross_site_request");
  });

  test.each(changes)("%s: no JSON", async (_, one) => {
    expect(await codeOf(one, signedIn, "{")).toBe("invalid_json");
  });

  test.each(changes)("%s: another media type", async (_, one) => {
    const headers = { ...signedIn, "content-type": "application/xml" };
    expect(await codeOf(one, headers, "<a/>")).toBe("unsupported_media_type");
  });

  test.each(changes)("%s: too large", async (_, one) => {
    const size = one.bodyLimitBytes ?? defaultBodyLimitBytes;
    expect(await codeOf(one, signedIn, `{"a":"${"x".repeat(size)}"}`)).toBe("body_too_large");
  });

  test.each(changes.filter(([, { body }]) => body !== undefined && wantsFields(body)))(
    "%s: other fields",
    async (_, one) => {
      expect(await codeOf(one, signedIn, '{"nonsense":true}')).toBe("validation_failed");
    },
  );
});
