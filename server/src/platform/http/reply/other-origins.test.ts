import { expect, test } from "vitest";
import { createTestApp } from "../../../../testing/app.ts";

const { app, call } = await createTestApp();
const origin = "https://shop.example";

test("a browser may ask for the state of a checkout from any site, and for nothing else", async () => {
  const asked = { headers: { origin, "access-control-request-method": "GET" }, key: null };
  const { statusCode, headers } = await call("OPTIONS", "/hosted/checkout", asked);
  expect(statusCode).toBe(204);
  expect(headers).toMatchObject({
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET",
    "access-control-allow-headers": "Authorization, User-Agent",
  });
  // With "*" a browser sends no cookies; this would allow them.
  expect(headers).not.toHaveProperty("access-control-allow-credentials");
});

test("a refusal can be read as well", async () => {
  const reply = await app.inject({ url: "/hosted/checkout", headers: { origin, authorization: "Bearer nonsense" } });
  expect(reply.statusCode).toBe(401);
  expect(reply.headers).toMatchObject({
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "Retry-After, X-Request-Id",
  });
});

const closed = [
  "/hosted/checkout/terms",
  "/hosted/checkout/cancel",
  "/hosted/plan/visit",
  "/wallets/balance",
  "/transfers",
];

test.each(closed)("%s says nothing to other sites", async (url) => {
  for (const method of ["OPTIONS", "GET", "POST"] as const) {
    const { headers } = await app.inject({ method, url, headers: { origin } });
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  }
});
