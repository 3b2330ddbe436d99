/** What every operation of a hosted page refuses before it begins. Each is asked of each, at a page that is open. */
import { describe, expect, test } from "vitest";
import { createCheckoutApp } from "../testing/checkout/checkout-sessions.ts";
import { withPlans } from "../testing/checkout/plans.ts";
import { appRoutes } from "./app.ts";
import type { PageKind, Route } from "./platform/http/route.ts";
import { defaultBodyLimitBytes } from "./platform/http/server.ts";

type PageRoute = Extract<Route, { readonly guard: "page" }>;

const testing = withPlans(await createCheckoutApp());
const { app, call } = testing;

const posts = appRoutes(testing.dependencies).filter(
  (route): route is PageRoute => route.guard === "page" && route.method === "POST",
);
const { url: door, loanId, visit } = await testing.visit();
const session = await testing.open();
const link = await call("POST", `/loans/bnpl/customers/${await testing.customer()}/cards/link`, { body: {} });

const tokenIn = (url: string | null): string => url?.split("#")[1] ?? "";
const tokens: Readonly<Record<PageKind, string>> = {
  checkout: tokenIn(session.url),
  "card-link": tokenIn(link.json().data.url),
  plan: tokenIn(door),
  "plan-visit": visit.token,
};

async function codeOf({ path, page }: PageRoute, headers: Readonly<Record<string, string>>, payload: string) {
  const authorization = `Bearer ${tokens[page]}`;
  const reply = await app.inject({ method: "POST", url: path, headers: { authorization, ...headers }, payload });
  return reply.json<{ code?: string }>().code;
}

const json = { "content-type": "application/json" };
const named = posts.map((route): [string, PageRoute] => [`POST ${route.path}`, route]);

test("there is an operation of each kind of page", () => {
  expect(new Set(posts.map(({ page }) => page))).toEqual(new Set(Object.keys(tokens)));
});

describe("with a broken body", () => {
  test.each(named)("%s: no JSON", async (_, route) => {
    expect(await codeOf(route, json, "{")).toBe("invalid_json");
  });

  test.each(named)("%s: another media type", async (_, route) => {
    expect(await codeOf(route, { "content-type": "application/xml" }, "<a/>")).toBe("unsupported_media_type");
  });

  test.each(named)("%s: too large", async (_, route) => {
    const payload = `{"a":"${"x".repeat(route.bodyLimitBytes ?? defaultBodyLimitBytes)}"}`;
    expect(await codeOf(route, json, payload)).toBe("body_too_large");
  });
});

describe("with nonsense", () => {
  test.each(named.filter(([, { body }]) => body !== undefined))("%s: a body of other fields", async (_, route) => {
    expect(await codeOf(route, json, '{"nonsense":true}')).toBe("validation_failed");
  });

  test.each(named.filter(([, { body }]) => body === undefined))("%s: a bad Idempotency-Key", async (_, route) => {
    expect(await codeOf(route, { ...json, "idempotency-key": "with a blank" }, "{}")).toBe("validation_failed");
  });
});

test("nothing has come of any of it", async () => {
  expect(await testing.read(session.id)).toMatchObject({ status: "open", loan_id: null });
  expect(await visit.view()).toMatchObject({ balance: 64_500, payments: [], charge: null });
  expect(await testing.status(loanId)).toBe("active");
});
