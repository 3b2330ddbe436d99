import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser } from "./in-browser.ts";
import { inspect, scrollWidth } from "./inspect.ts";
import { freezeClock, logo, newPerson, openCardLink, openCheckout } from "./orders.ts";
import { askForCode, chooseMonths, expectAlert, press, seeStep, typeCard } from "./walk.ts";

const phone = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true } as const;

/** Whether the middle of a control is on the screen and nothing lies above it. */
function isWithinReach(page: Page, name: RegExp): Promise<boolean> {
  return page.getByRole("button", { name }).evaluate((button) => {
    const { left, top, width, height } = button.getBoundingClientRect();
    const there = button.ownerDocument.elementFromPoint(left + width / 2, top + height / 2);
    return there !== null && button.contains(there);
  });
}

describeInBrowser("what a customer is told before agreeing", (world) => {
  test("comes in order: the whole and the lender first, then its parts, lateness, conditions, complaints", async () => {
    const sandbox = await world.openSandbox();
    await freezeClock(sandbox, "2027-01-10T09:00:00.000Z");
    await sandbox.call("PATCH", "/loans/bnpl/profile", { display_name: "Balogun Home & Kitchen", logo });
    const items = [
      { name: "Rechargeable fan with remote control and two batteries", quantity: 2, amount: 51_500 },
      { name: "Delivery", quantity: 1, amount: 8_500 },
    ];
    const order = await openCheckout(world, sandbox, newPerson(), { items });
    const { page } = await world.visit(phone);
    await page.goto(order.url);
    await seeStep(page, "Choose how to pay");
    await page.getByText("2 × Rechargeable fan").waitFor();
    const drawn = () =>
      page.locator(".merchant-logo").evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth);
    await expect.poll(drawn).toBe(1);
    await inspect(page, "checkout-1-offer-items");
    await chooseMonths(page, 3);
    const told = (await page.getByRole("region", { name: "Your payment plan" }).innerText()).replaceAll(/\s+/g, " ");
    const wanted = [
      "You repay in total ₦64,500",
      "Sample Lender (sandbox)",
      "no registration: sandbox sample",
      "Paid out to Balogun Home & Kitchen ₦60,000",
      "Interest, 2.5% a month, flat ₦4,500",
      "Fees None",
      "Yearly rate (APR) 54.74%",
      "Last payment 10 April 2027",
      "10 February 2027",
      "If you pay late",
      "1% of that payment",
      "Conditions",
      "pay early",
      "Complaints",
      "support@lender.example",
      "FCCPC",
    ];
    let from = 0;
    for (const words of wanted) {
      const place = told.indexOf(words, from);
      expect(place, `${words} after ${told.slice(0, from).slice(-40)}`).toBeGreaterThanOrEqual(0);
      from = place;
    }
  });

  test("has a box that nobody has ticked, and without it no code is sent", async () => {
    const sandbox = await world.openSandbox();
    const order = await openCheckout(world, sandbox);
    const { page } = await world.visit();
    await page.goto(order.url);
    await chooseMonths(page, 3);
    const box = page.getByRole("checkbox", { name: /^I borrow NGN 60,000.00 from Sample Lender/ });
    expect(await box.isChecked()).toBe(false);
    await press(page, "Send me the code");
    await expectAlert(page, "Tick the box if you agree");
    await inspect(page, "checkout-2-review-unticked");
    expect((await sandbox.call("GET", "/sandbox/messages")) as unknown).toEqual([]);
    await askForCode(page);
    expect((await sandbox.call("GET", "/sandbox/messages")) as unknown).toHaveLength(1);
  });

  test("leaves the way on within a thumb's reach on a phone, at every scroll", async () => {
    const sandbox = await world.openSandbox();
    const person = newPerson({ first_name: "Oluwadamilolaoluwa-Ayomikunle" });
    const order = await openCheckout(world, sandbox, person, { amount: 199_999.99, order_reference: "x".repeat(100) });
    const { page } = await world.visit(phone);
    await page.goto(order.url);
    await seeStep(page, "Choose how to pay");
    await inspect(page, "checkout-1-offer-long");
    for (const share of [0, 0.3, 0.6, 1]) {
      await page.evaluate(`window.scrollTo(0, document.documentElement.scrollHeight * ${share})`);
      expect(await isWithinReach(page, /^Continue with/), `at ${share} of the page`).toBe(true);
    }
    expect(await scrollWidth(page)).toBe(360);
  });

  test("mistakes on the card page vanish when a test card fills the form", async () => {
    const sandbox = await world.openSandbox();
    const { customerId } = await openCheckout(world, sandbox);
    const { page } = await world.visit();
    await page.goto((await openCardLink(sandbox, customerId)).url);
    await seeStep(page, "Add your card");
    await press(page, "Save this card");
    await page.getByRole("alert").waitFor();
    await expect.poll(() => page.locator("[aria-invalid=true]").count()).toBe(3);
    await page.getByRole("button", { name: /4084 0840 8408 4081/ }).click();
    await page.getByRole("alert").waitFor({ state: "detached" });
    await expect.poll(() => page.locator("[aria-invalid=true]").count()).toBe(0);
    await typeCard(page);
    await seeStep(page, "Your card is saved");
  });
});
