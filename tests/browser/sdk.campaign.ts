/** The SDK in a real browser: what a merchant's page may do with a session's address, and what nobody may. */
import { join } from "node:path";
import type { Page } from "playwright-core";
import { build } from "vite";
import { afterAll, expect, test } from "vitest";
import type * as Sdk from "../../sdk/src/index.ts";
import { Jara } from "../../sdk/src/index.ts";
import { root } from "../document/document.ts";
import { describeWithBrowser } from "./in-browser.ts";
import { startProduct } from "./product.ts";

declare const JaraSdk: typeof Sdk;

async function bundle(): Promise<string> {
  const entry = join(root, "sdk", "src", "index.ts");
  const lib = { entry, formats: ["iife"] as ["iife"], name: "JaraSdk" };
  const built = await build({ configFile: false, logLevel: "silent", build: { write: false, lib } });
  const [{ output }] = built as unknown as [{ output: [{ code: string }] }];
  return `${output[0].code}; globalThis.JaraSdk = JaraSdk;`;
}

describeWithBrowser("the SDK in a browser", async (browser) => {
  const { baseUrl, merchantSite, tokens } = await startProduct();
  const jara = new Jara({ secretKey: tokens.developer, baseUrl });
  // Jara's own pages let no script in but theirs; a test has to.
  const context = await browser.newContext({ bypassCSP: true });
  afterAll(() => context.close());
  await context.addInitScript({ content: await bundle() });

  const open = async (url: string): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(url);
    return page;
  };

  let orders = 0;
  const startSession = async (): Promise<string> => {
    orders += 1;
    const { url } = await jara.loans.bnpl.sessions.create({
      customer: {
        firstName: "Ada",
        lastName: "Obi",
        email: `ada-${orders}@example.com`,
        phone: `0803123468${orders}`,
        bvn: `2212345678${orders}`,
      },
      amount: 60_000,
      bankAccountNo: "0123456789",
      bankCode: "058",
      orderReference: `browser-${orders}`,
      successUrl: `${merchantSite.url}/thanks`,
      cancelUrl: `${merchantSite.url}/cart`,
    });
    return url ?? "";
  };

  test("a merchant's page sees how a session stands, and how it ends on Jara's page", async () => {
    const url = await startSession();
    const cart = await open(merchantSite.url);
    expect(new URL(cart.url()).origin).not.toBe(new URL(url).origin);
    const view = await cart.evaluate((address) => JaraSdk.hostedCheckout(address).read(), url);
    expect(view).toMatchObject({ status: "open", step: "offer", amount: 60_000, orderReference: "browser-1" });

    const waiting = cart.evaluate((address) => JaraSdk.hostedCheckout(address).waitUntilFinal(), url);
    const theirs = await open(url);
    await theirs.evaluate((address) => JaraSdk.hostedCheckout(address).cancel(), url);
    expect((await waiting).status).toBe("cancelled");
  });

  test("the refusal of a token reaches the merchant's page with its code", async () => {
    const cart = await open(merchantSite.url);
    const refused = await cart.evaluate(
      (address) =>
        JaraSdk.hostedCheckout(address)
          .read()
          .catch((error: Sdk.JaraApiError) => [error.code, error.requestId !== undefined]),
      `${baseUrl}/checkout/none#nonsense`,
    );
    expect(refused).toEqual(["invalid_page_token", true]);
  });

  test("nothing is done for the customer from another site", async () => {
    const url = await startSession();
    const cart = await open(merchantSite.url);
    const acted = await cart.evaluate(
      (address) =>
        JaraSdk.hostedCheckout(address, { maxRetries: 0 })
          .cancel()
          .catch((error: Error) => error instanceof JaraSdk.JaraConnectionError),
      url,
    );
    expect(acted).toBe(true);
    const view = await cart.evaluate((address) => JaraSdk.hostedCheckout(address).read(), url);
    expect(view.status).toBe("open");
  });

  test("a secret key is refused, and forced it still reaches nothing from another site", async () => {
    const cart = await open(merchantSite.url);
    const asked = { secretKey: tokens.developer, baseUrl };
    const refusal = await cart.evaluate((options) => {
      try {
        new JaraSdk.Jara(options);
        return "taken";
      } catch (error) {
        return error instanceof JaraSdk.JaraInputError ? error.message : "something else";
      }
    }, asked);
    expect(refusal).toContain("does not belong in a browser");
    const forced = await cart.evaluate(
      (options) =>
        new JaraSdk.Jara({ ...options, dangerouslyAllowBrowser: true, maxRetries: 0 }).wallets
          .getBalance()
          .catch((error: Error) => error instanceof JaraSdk.JaraConnectionError),
      asked,
    );
    expect(forced).toBe(true);
  });
});
