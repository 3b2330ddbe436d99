/** What every operation of a hosted page refuses before it begins. Each is asked of each, at a page that is open. */
import { beforeAll, describe, expect, test } from "vitest";
import { createCheckoutApp, refusedCard } from "../testing/checkout/checkout-sessions.ts";
import { withPlans } from "../testing/checkout/plans.ts";
import type { PageKind } from "./platform/http/caller.ts";
import { strangersBodyLimitBytes } from "./platform/http/guard/open-doors.ts";
import type { Route } from "./platform/http/route.ts";
import { appRoutes } from "./start/app.ts";

type PageRoute = Extract<Route, { readonly guard: "page" }>;

const testing = withPlans(await createCheckoutApp());
const { app, call } = testing;

const posts = appRoutes(testing.dependencies).filter(
  (route): route is PageRoute => route.guard === "page" && route.method === "POST",
);
const { url: door, loanId, visit } = await testing.visit();
const session = await testing.open();
const link = await call("POST", `/loans/bnpl/customers/${await testing.customer()}/cards/link`, { body: {} });
const linkUrl = link.json().data.url;

const tokenIn = (url: string | null): string => url?.split("#")[1] ?? "";
const tokens: Readonly<Record<PageKind, string>> = {
  checkout: tokenIn(session.url),
  "card-link": tokenIn(linkUrl),
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
    const payload = `{"a":"${"x".repeat(route.bodyLimitBytes ?? strangersBodyLimitBytes)}"}`;
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

test("until here nothing has come of any of it", async () => {
  expect(await testing.read(session.id)).toMatchObject({ status: "open", loan_id: null });
  expect(await visit.view()).toMatchObject({ balance: 64_500, payments: [], charge: null });
  expect(await testing.status(loanId)).toBe("active");
});

describe("with the Idempotency-Key of another request of the page", () => {
  const headers = { ...json, "idempotency-key": "taken" };
  /** A body of each operation that takes one; the page's first request has another. */
  const bodies: Readonly<Record<string, object>> = {
    "/hosted/checkout/terms": { tenor: 6 },
    "/hosted/checkout/consent/request": { agreed: true, termsHash: "0".repeat(64) },
    "/hosted/checkout/consent/verify": { otp: "123456" },
    "/hosted/card-link/card": { cardToken: "another" },
    "/hosted/plan/enter": { otp: "123456" },
    "/hosted/plan/visit/pay": { amount: 100, owed: 64_500, press: "01932c5f-1b2c-7d3e-8f40-5a6b7c8d9e0f" },
  };

  beforeAll(async () => {
    const cardToken = await testing.browseCard(linkUrl).vault(refusedCard);
    // A code for the plan was sent a moment ago.
    await testing.advance({ seconds: 61 });
    const firsts = {
      checkout: ["/hosted/checkout/terms", { tenor: 3 }],
      "card-link": ["/hosted/card-link/card", { cardToken }],
      plan: ["/hosted/plan/code", { first: true }],
      "plan-visit": ["/hosted/plan/visit/card-link", { first: true }],
    } as const satisfies Record<PageKind, readonly [string, object]>;
    for (const [page, [url, payload]] of Object.entries(firsts)) {
      const authorization = `Bearer ${tokens[page as PageKind]}`;
      const reply = await app.inject({ method: "POST", url, headers: { authorization, ...headers }, payload });
      expect(reply.statusCode, reply.body).toBe(200);
    }
  });

  test.each(named.filter(([, { keepsNothing }]) => keepsNothing !== true))("%s", async (_, route) => {
    const payload = JSON.stringify(bodies[route.path] ?? {});
    expect(await codeOf(route, headers, payload)).toBe("idempotency_key_conflict");
  });

  test("nothing has come of it", async () => {
    expect((await testing.browse(session.url).view()).loan?.tenor).toBe(3);
    expect(await visit.view()).toMatchObject({ balance: 64_500, payments: [] });
  });
});
