import { expect, test } from "vitest";
import { describeInBrowser } from "./in-browser.ts";
import { inspect, scrollWidth } from "./inspect.ts";
import { freezeClock, linkCard, newPerson, openCheckout, passTime, readSession } from "./orders.ts";
import { agree, arriveAt, askForCode, chooseMonths, goToCardPage, seeStep, typeCard, typeCode } from "./walk.ts";

describeInBrowser("the whole path", (world) => {
  test("a new customer sees every step, on a desk and on a phone, by day and by night", async () => {
    const sandbox = await world.openSandbox();
    await freezeClock(sandbox);
    const order = await openCheckout(world, sandbox);
    const { page } = await world.visit();
    const opened = await page.goto(order.url);
    // Without a policy there would be nothing to violate.
    expect(opened?.headers()["content-security-policy"]).toMatch(/^default-src 'none'; script-src 'self';/);
    await seeStep(page, "Choose how to pay");
    await inspect(page, "checkout-1-offer");
    await chooseMonths(page, 6);
    await inspect(page, "checkout-2-review");
    await askForCode(page);
    await inspect(page, "checkout-3-code");
    await typeCode(page);
    await arriveAt(page, "Add the card for your payments");
    await inspect(page, "checkout-4-card");
    await goToCardPage(page);
    await inspect(page, "card-1-form");
    await typeCard(page);
    await arriveAt(page, "Your card is saved");
    await inspect(page, "card-2-saved");
    await page.getByRole("link", { name: "Continue" }).click();
    await seeStep(page, "Paying Ade Stores");
    await inspect(page, "checkout-5-processing");
    await passTime(sandbox, 60);
    await arriveAt(page, "Your order is paid");
    await inspect(page, "checkout-6-completed");
    await page.getByRole("link", { name: "Return to Ade Stores" }).click();
    await page.getByRole("heading", { name: "Back at the merchant" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/hooks/thanks");
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ session_id: order.id, status: "completed" });
    expect(await readSession(sandbox, order)).toMatchObject({ status: "completed" });
  });

  test("a returning customer is not asked for a card again, and is taken back without a press", async () => {
    const sandbox = await world.openSandbox();
    const first = await openCheckout(world, sandbox);
    await linkCard(sandbox, first.customerId);
    const { page } = await world.visit();
    await agree(page, first.url);
    await arriveAt(page, "Your order is paid");
    await page.getByText("Visa card ending 4081").waitFor();
    await page.clock.fastForward(10_000);
    await page.getByRole("heading", { name: "Back at the merchant" }).waitFor();
    expect(await readSession(sandbox, first)).toMatchObject({ status: "completed" });
  });

  test("a phone of 360 pixels is wide enough from the first step to the last", async () => {
    const sandbox = await world.openSandbox();
    const order = await openCheckout(world, sandbox, newPerson({ first_name: "Oluwadamilolaoluwa-Ayomikunle" }));
    const { page, scriptBytes } = await world.visit({
      viewport: { width: 360, height: 640 },
      isMobile: true,
      hasTouch: true,
    });
    const widths: number[] = [];
    await page.goto(order.url);
    await seeStep(page, /Choose how to pay/);
    widths.push(await scrollWidth(page));
    await chooseMonths(page, 12);
    widths.push(await scrollWidth(page));
    await askForCode(page);
    widths.push(await scrollWidth(page));
    await typeCode(page);
    await arriveAt(page, "Add the card for your payments");
    widths.push(await scrollWidth(page));
    expect(await scriptBytes(), "the checkout's script, compressed").toBeLessThan(100_000);
    await goToCardPage(page);
    widths.push(await scrollWidth(page));
    await typeCard(page);
    await seeStep(page, "Your order is paid");
    widths.push(await scrollWidth(page));
    expect(widths).toEqual(widths.map(() => 360));
  });
});
