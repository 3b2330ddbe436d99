import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser } from "./in-browser.ts";
import { inspect } from "./inspect.ts";
import { freezeClock, newPerson, openCardLink, openCheckout, passTime } from "./orders.ts";
import type { Data } from "./product.ts";
import { agree, expectAlert, goodCard, goToCardPage, press, refusedCard, seeStep, typeCard } from "./walk.ts";

const vault = "/hosted/card-vault/tokens";

describeInBrowser("the card page", (world) => {
  async function begin(callbackUrl?: string) {
    const sandbox = await world.openSandbox();
    await freezeClock(sandbox);
    const customer = await sandbox.call("POST", "/loans/bnpl/customers", newPerson());
    const customerId = String(customer["id"]);
    const link = await openCardLink(sandbox, customerId, callbackUrl);
    const visitor = await world.visit();
    await visitor.page.goto(link.url);
    await seeStep(visitor.page, "Add your card");
    return { ...visitor, sandbox, customerId, link };
  }

  test("a declined card is followed by another one, on the way through a checkout", async () => {
    const sandbox = await world.openSandbox();
    const order = await openCheckout(world, sandbox);
    const { page } = await world.visit();
    await agree(page, order.url);
    await goToCardPage(page);
    await typeCard(page, refusedCard);
    await expectAlert(page, "Your bank declined the card");
    await seeStep(page, "Try another card");
    await inspect(page, "card-1-declined");
    await typeCard(page);
    await seeStep(page, "Your order is paid");
    const cards = (await sandbox.call("GET", `/loans/bnpl/customers/${order.customerId}/cards`)) as unknown as Data[];
    expect(cards).toEqual([expect.objectContaining({ brand: "visa", last4: "4081", is_default: true })]);
  });

  test("the number goes to the vault and nowhere else", async () => {
    const { page, requests } = await begin();
    await typeCard(page);
    await seeStep(page, "Your card is saved");
    const digits = /4084[ +%20-]*0840[ +%20-]*8408[ +%20-]*4081/;
    const carriers = requests.filter((request) => digits.test(`${request.url()} ${request.postData() ?? ""}`));
    expect(carriers.map((request) => new URL(request.url()).pathname)).toEqual([vault]);
    expect(requests.filter((request) => digits.test(JSON.stringify(request.headers())))).toEqual([]);
    expect(await everythingKept(page)).not.toMatch(digits);
    expect(await page.content()).not.toMatch(digits);
    expect(world.log()).not.toMatch(digits);
  });

  test("the token in the address is in no request's address, nor in a referrer or the log", async () => {
    const { page, requests, link } = await begin();
    const token = link.url.split("#")[1] ?? "";
    expect(token.length).toBeGreaterThan(20);
    await typeCard(page);
    await seeStep(page, "Your card is saved");
    for (const request of requests) {
      expect(new URL(request.url()).href.split("#")[0]).not.toContain(token);
      expect(request.headers()["referer"] ?? "").not.toContain(token);
    }
    expect(world.log()).not.toContain(token);
  });

  test("what is missing or wrong is said at once, above the form and at each field", async () => {
    const { page, requests } = await begin();
    await press(page, "Save this card");
    const summary = page.getByRole("alert");
    await summary.getByRole("link").first().waitFor();
    await expect.poll(() => summary.getByRole("link").count()).toBe(3);
    await inspect(page, "card-1-incomplete");
    await typeCard(page, "4084084084084082");
    await page.getByText("A digit seems to be wrong or missing").first().waitFor();
    expect(requests.filter((request) => request.method() === "POST")).toEqual([]);
    await typeCard(page, goodCard);
    await seeStep(page, "Your card is saved");
  });

  test("a newer link makes the older one stale, even when its form is already filled in", async () => {
    const { page, sandbox, customerId, link } = await begin();
    await openCardLink(sandbox, customerId);
    await typeCard(page);
    await seeStep(page, "A newer link is open");
    await inspect(page, "card-stale");
    await page.goto("about:blank");
    await page.goto(link.url);
    await seeStep(page, "A newer link is open");
    expect(await sandbox.call("GET", `/loans/bnpl/customers/${customerId}/cards`)).toEqual([]);
  });

  test("a link ends after half an hour", async () => {
    const { page, sandbox } = await begin();
    await passTime(sandbox, 1_801);
    await page.reload();
    await seeStep(page, "This link has expired");
    await inspect(page, "card-expired");
  });

  test("a merchant's own link leads back to the merchant", async () => {
    const { page, link } = await begin(`${world.merchantSite.url}/cards`);
    await typeCard(page);
    await seeStep(page, "Your card is saved");
    await page.clock.fastForward(5_000);
    await page.getByRole("heading", { name: "Back at the merchant" }).waitFor();
    const { pathname, searchParams } = new URL(page.url());
    expect(pathname).toBe("/hooks/cards");
    expect(Object.fromEntries(searchParams)).toEqual({ link_id: link.linkId, status: "linked" });
  });

  test("an address without its token opens nothing", async () => {
    const { link } = await begin();
    const { page } = await world.visit();
    await page.goto(link.url.replace(/#.*/, ""));
    await seeStep(page, "This link does not work");
    await inspect(page, "card-wrong-link");
  });
});

/** All that the page could leave behind on the customer's device. */
async function everythingKept(page: Page): Promise<string> {
  const stored = await page.evaluate("JSON.stringify([{ ...sessionStorage }, { ...localStorage }, location.href])");
  return `${stored}${JSON.stringify(await page.context().cookies())}`;
}
