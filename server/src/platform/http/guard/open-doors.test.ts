/** What a stranger may send where no key is needed: little, and not often, whatever becomes of it. */
import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { fromPage } from "../../../../testing/console.ts";
import { createLiveApp } from "../../../../testing/providers/live-app.ts";
import { startPaystackTwin } from "../../../../testing/providers/paystack-twin.ts";
import { appRoutes, createApp } from "../../../start/app.ts";
import { strangersBodyLimitBytes } from "./open-doors.ts";

const testing = await createLiveApp();
const twin = testing.keep(await startPaystackTwin());
const secretKey = "sk_live_twin";
const wanted = { provider: "paystack", name: "Paystack", mode: "live", baseUrl: twin.url };
const connection = await testing.connect({ ...wanted, credentials: { secretKey } });
const { dependencies } = testing;
const app = testing.keep(
  await createApp({
    ...dependencies,
    config: { ...dependencies.config, rateLimit: 2, trustProxy: 1 },
    demoKey: testing.merchant.secretKey,
  }),
);
const burst = 8;

// Nothing comes back into a bucket while a test runs, however long that takes.
beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

let addresses = 0;
function newAddress(): string {
  addresses += 1;
  return `203.0.113.${addresses}`;
}

function post(url: string, payload: string, address: string, signature = "of nobody") {
  const headers = { "content-type": "application/json", "x-forwarded-for": address, "x-paystack-signature": signature };
  return app.inject({ method: "POST", url, payload, headers: { ...headers, ...fromPage } });
}

const open = [
  ...appRoutes(dependencies).flatMap(({ guard, path }) => (guard === "visitor" ? [path] : [])),
  "/console/api/auth/sign-out",
  "/shop/api/orders",
  `/rails/${connection}/hook`,
  `/rails/${connection}/approval`,
];

describe.each(open)("%s", (url) => {
  test("takes sixteen kilobytes and no more", async () => {
    const ofLength = (length: number) => `{"x":"${"x".repeat(length - 8)}"}`;
    expect((await post(url, ofLength(strangersBodyLimitBytes), newAddress())).statusCode).not.toBe(413);
    expect((await post(url, ofLength(strangersBodyLimitBytes + 1), newAddress())).statusCode).toBe(413);
  });

  test.each([
    ["is no JSON", "{"],
    ["does not fit", "[5]"],
    ["is too large", `"${"x".repeat(20_000)}"`],
  ])("counts an address before it reads a body that %s", async (_, payload) => {
    const address = newAddress();
    const statuses: number[] = [];
    for (let time = 0; time < burst; time += 1) statuses.push((await post(url, payload, address)).statusCode);
    expect(statuses).not.toContain(429);
    const refused = await post(url, payload, address);
    expect([refused.statusCode, refused.json().code, refused.headers["retry-after"]]).toEqual([
      429,
      "rate_limited",
      "1",
    ]);
    expect((await post(url, payload, newAddress())).statusCode).not.toBe(429);
  });
});

describe("a provider's webhook", () => {
  test("that is right costs its sender nothing, and one that is wrong does", async () => {
    const address = newAddress();
    const raw = JSON.stringify({ event: "transfer.success", data: { reference: "x" } });
    const signature = createHmac("sha512", secretKey).update(raw).digest("hex");
    const hook = () => post(`/rails/${connection}/hook`, raw, address, signature);
    for (let time = 0; time < 3 * burst; time += 1) expect((await hook()).statusCode).toBe(200);
    for (let time = 0; time < burst; time += 1) {
      expect((await post(`/rails/${connection}/hook`, "{", address)).statusCode).toBe(400);
    }
    expect((await hook()).statusCode).toBe(429);
  });
});
