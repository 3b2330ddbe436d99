/** Whatever is sent, the answer is the caller's fault or a success, in an envelope of ours. */
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createTestApp, type TestApp } from "../../server/testing/app.ts";
import { rawRequest, sendRaw } from "../../server/testing/platform/raw-http.ts";
import { oddRoutes, orderRoutes } from "../../server/testing/platform/routes.ts";

const testing: TestApp = await createTestApp({
  extraRoutes: [...orderRoutes(), ...oddRoutes(() => testing.db).slice(0, 1)],
});
await testing.app.listen({ port: 0, host: "127.0.0.1" });
const { port } = testing.app.server.address() as AddressInfo;
const key = `Bearer ${testing.merchant.secretKey}`;

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string(),
  fc.constantFrom("\0", "\ud800", "__proto__", "constructor", "toString"),
);
const anyAmount = fc.oneof(fc.double(), fc.integer(), anyText, fc.constant(null));
const nearlyAnOrder = fc.record(
  {
    amount: anyAmount,
    currency: fc.oneof(fc.constant("NGN"), anyText),
    note: fc.oneof(anyText, fc.constant(null)),
    items: fc.array(fc.oneof(fc.record({ code: anyText, amount: anyAmount }), fc.jsonValue())),
  },
  { requiredKeys: [] },
);
const anyBody = fc.oneof(
  nearlyAnOrder.map((body) => JSON.stringify(body)),
  fc.json(),
  anyText,
  fc.uint8Array().map((bytes) => Buffer.from(bytes)),
);
const pathCharacter = fc.constantFrom(..."abc/%?&=;#.:*[]{}~!0123456789ABCDEF");
const anyPath = fc.oneof(
  fc.constantFrom(
    "/orders",
    "/loans/orders",
    "/orders/01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11",
    "/operator/merchants",
    "/docs",
    "/openapi.json",
  ),
  fc.string({ unit: pathCharacter }).map((tail) => `/orders/${tail}`),
  fc.string({ unit: pathCharacter }).map((tail) => `/${tail}`),
  fc.webQueryParameters().map((query) => `/orders?${query}`),
);
const headerText = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
  maxLength: 40,
});
const anyHeaders = fc.record(
  {
    "Content-Type": fc.oneof(
      fc.constantFrom("application/json", "application/json; charset=utf-8", "text/plain"),
      headerText,
    ),
    Authorization: fc.oneof({ weight: 3, arbitrary: fc.constant(key) }, { weight: 1, arbitrary: headerText }),
    "Idempotency-Key": headerText,
    "X-Request-Id": headerText,
    Accept: headerText,
    Host: headerText,
    "X-Forwarded-For": headerText,
  },
  { requiredKeys: [] },
);
const anyMethod = fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

test("random requests never make the server fail", async () => {
  const request = fc.record({ method: anyMethod, path: anyPath, headers: anyHeaders, body: anyBody });
  await fc.assert(
    fc.asyncProperty(request, async (sent) => {
      const reply = await sendRaw(port, rawRequest({ ...sent, headers: { ...sent.headers, Connection: "close" } }));
      expect(reply.status).toBeLessThan(500);
      expect(reply.status).toBeGreaterThanOrEqual(200);
      expect(reply.headers).toMatchObject({ "api-version": "2026-11-01", "x-request-id": expect.any(String) });
      if (reply.status >= 400)
        expect(JSON.parse(reply.body)).toMatchObject({ code: expect.any(String), errors: expect.any(Array) });
    }),
    { numRuns: 1_500 },
  );
});
