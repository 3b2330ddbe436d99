import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { afterAll, describe, expect, test } from "vitest";
import { createTestApp } from "../../testing/app.ts";
import { createHttpServer } from "../platform/http/server/server.ts";
import { createMetrics } from "../platform/metrics.ts";
import { products } from "./products.ts";
import { registerShop, type ShopAccess } from "./routes.ts";

const testing = await createTestApp();
await testing.app.listen({ port: 0, host: "127.0.0.1" });
const { port } = testing.app.server.address() as AddressInfo;

/** A shop on a server of its own, as a merchant's would be. */
function openShop(change: Partial<ShopAccess> = {}) {
  const metrics = createMetrics({ sources: [], processFigures: false, onSourceError: () => {} });
  const app = createHttpServer({ log: pino({ level: "silent" }), metrics, trustProxy: false });
  const access = {
    publicUrl: "http://localhost:4000",
    secretKey: testing.merchant.secretKey,
    apiUrl: () => `http://127.0.0.1:${port}`,
  };
  registerShop(app, { ...access, ...change });
  afterAll(() => app.close());
  return app;
}

const shop = openShop();
const ada = { firstName: "Ada", lastName: "Obi", email: "ada@example.com", phone: "08031234678", bvn: "22212345678" };

const order = (payload: object, at = shop) => at.inject({ method: "POST", url: "/shop/api/orders", payload });

/** What a browser keeps of a reply, as it sends it back. */
const cookieOf = (reply: { headers: Record<string, unknown> }) =>
  String(reply.headers["set-cookie"]).split(";")[0] ?? "";

async function sessionOf(url: string) {
  const id = /\/checkout\/([0-9a-f-]+)#/.exec(url)?.[1] ?? "";
  return (await testing.call("GET", `/loans/bnpl/checkout-sessions/${id}`)).json().data;
}

describe("an order", () => {
  test("opens a checkout at the shop's price, whatever the browser says it costs", async () => {
    const reply = await order({ productId: "fan", customer: ada, amount: 1, price: 1 });
    expect(reply.statusCode).toBe(201);
    const session = await sessionOf(reply.json().data.url);
    expect(session).toMatchObject({ status: "open", amount: 68_500, success_url: "http://localhost:4000/shop/order" });
    expect(session.order_reference).toMatch(/^fan-[0-9a-f]{10}$/);
  });

  test("is two when it is placed twice: the shop sells another one", async () => {
    const both = await Promise.all([1, 2].map(() => order({ productId: "lamp", customer: ada })));
    const sessions = await Promise.all(both.map((reply) => sessionOf(reply.json().data.url)));
    expect(new Set(sessions.map(({ id }) => id)).size).toBe(2);
    expect(new Set(sessions.map(({ customer_id }) => customer_id)).size).toBe(1);
  });

  test("is read as the API has it, whatever the address claims", async () => {
    const placed = await order({ productId: "lamp", customer: ada });
    const { id } = await sessionOf(placed.json().data.url);
    const headers = { cookie: cookieOf(placed) };
    const reply = await shop.inject({ url: `/shop/api/orders/${id}?status=completed`, headers });
    expect(reply.json().data).toMatchObject({
      id,
      status: "open",
      amount: 24_750,
      product: { name: "Solar lamp set" },
      loan: null,
      url: placed.json().data.url,
    });
    await testing.call("POST", `/loans/bnpl/checkout-sessions/${id}/cancel`);
    const after = await shop.inject({ url: `/shop/api/orders/${id}`, headers });
    expect(after.json().data).toMatchObject({ status: "cancelled", url: null });
  });

  test("is shown to the browser that made it, by a cookie that only this address gets", async () => {
    const placed = await order({ productId: "lamp", customer: ada });
    const { id } = await sessionOf(placed.json().data.url);
    const other = await order({ productId: "lamp", customer: ada });
    const [value, ...attributes] = String(placed.headers["set-cookie"]).split("; ");
    expect(attributes).toEqual([`Path=/shop/api/orders/${id}`, "Max-Age=172800", "HttpOnly", "SameSite=Strict"]);
    const strangers = [undefined, cookieOf(other), `${value}x`, "jara_shop_order=", "nonsense", `x${value}`];
    for (const cookie of strangers) {
      const reply = await shop.inject({
        url: `/shop/api/orders/${id}`,
        headers: cookie === undefined ? {} : { cookie },
      });
      expect([reply.statusCode, reply.json().code], cookie).toEqual([404, "shop_order_not_found"]);
      expect(reply.body).not.toContain("checkout/");
    }
    const among = await shop.inject({ url: `/shop/api/orders/${id}`, headers: { cookie: `a=b; ${value}; c` } });
    expect(among.json().data.url).toBe(placed.json().data.url);
  });

  test("over https keeps its cookie to https", async () => {
    const placed = await order(
      { productId: "fan", customer: ada },
      openShop({ publicUrl: "https://shop.example.com" }),
    );
    expect(placed.headers["set-cookie"]).toMatch(/; Secure$/);
  });

  test("for something that is not sold is refused", async () => {
    const reply = await order({ productId: "yacht", customer: ada });
    expect(reply.statusCode).toBe(404);
    expect(reply.json().code).toBe("shop_product_not_found");
  });

  test.each([
    ["nothing", {}],
    ["a customer without a BVN", { productId: "fan", customer: { ...ada, bvn: undefined } }],
    ["a product that is a number", { productId: 7, customer: ada }],
    ["a name of a thousand letters", { productId: "fan", customer: { ...ada, firstName: "a".repeat(1_000) } }],
  ])("of %s is refused before the API is asked", async (_name, payload) => {
    const reply = await order(payload);
    expect(reply.statusCode).toBe(422);
    expect(reply.json().code).toBe("validation_failed");
  });

  test("with a bad BVN comes back from the API with the form's names", async () => {
    const reply = await order({ productId: "fan", customer: { ...ada, bvn: "12" } });
    expect(reply.statusCode).toBe(422);
    expect(reply.json().errors).toEqual([{ field: "bvn", message: expect.any(String) }]);
  });
});

describe("the shop", () => {
  test("shows its products to everybody", async () => {
    expect((await shop.inject("/shop/api/products")).json().data).toEqual(products);
  });

  test("knows no order of another merchant, and none that nobody made", async () => {
    const placed = await order({ productId: "fan", customer: ada });
    const { id } = await sessionOf(placed.json().data.url);
    const others = openShop({ secretKey: testing.otherMerchant.secretKey });
    for (const [at, which] of [[others, id] as const, [shop, "nonsense"] as const]) {
      const reply = await at.inject({ url: `/shop/api/orders/${which}`, headers: { cookie: cookieOf(placed) } });
      expect(reply.statusCode).toBe(404);
      expect(reply.json().code).toBe("shop_order_not_found");
    }
  });

  test("says that the API does not answer", async () => {
    const reply = await order({ productId: "fan", customer: ada }, openShop({ apiUrl: () => "http://127.0.0.1:9" }));
    expect(reply.statusCode).toBe(503);
    expect(reply.json().code).toBe("shop_api_unreachable");
  });

  test("is closed where there is no demo merchant", async () => {
    for (const url of ["/shop", "/shop/order", "/shop/api/products"]) {
      expect((await testing.app.inject(url)).statusCode).toBe(404);
    }
  });
});

test("no product is cheaper than a loan may be, and references name their product", () => {
  for (const { id, price } of products) {
    expect(price).toBeGreaterThanOrEqual(5_000);
    expect(id).toMatch(/^[a-z]+$/);
  }
});
