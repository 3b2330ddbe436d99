import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser } from "./in-browser.ts";
import { inspect } from "./inspect.ts";
import { logo } from "./orders.ts";
import { answer, choose, comeIn, startPlan } from "./plans.ts";
import { arriveAt, expectAlert, goodCard, press, seeStep, typeCard } from "./walk.ts";

describeInBrowser("a plan's page", (world) => {
  test("from the message to the last receipt, on a desk and on a phone, by day and by night", async () => {
    const sandbox = await world.openSandbox();
    await sandbox.call("PATCH", "/loans/bnpl/profile", { logo });
    const { url } = await startPlan(sandbox);
    const { page, scriptBytes } = await world.visit();
    await page.goto(url);
    await seeStep(page, "Your payment plan");
    await inspect(page, "plan-1-door");
    await press(page, "Send me the code");
    await arriveAt(page, "Type the code we sent you");
    await answer(page, "000000");
    await expectAlert(page, "You have 4 tries left");
    await answer(page);
    await seeStep(page, "Next payment: ₦21,500");
    expect(await scriptBytes(), "the page's script, compressed").toBeLessThan(100_000);
    await choose(page, /^Next payment/);
    await inspect(page, "plan-4-pay");
    await press(page, "Pay ₦21,500 now");
    await page.getByText("₦21,500 is paid").waitFor();
    await page.getByText("1 of 3 payments done, ₦21,500 paid so far.").waitFor();
    await inspect(page, "plan-5-paid");
    await press(page, "See the receipt");
    await arriveAt(page, "Receipt");
    await page.getByText("Visa card ending 4081").waitFor();
    await inspect(page, "plan-6-receipt");
    await page.emulateMedia({ media: "print" });
    expect(await page.getByRole("button", { name: "Print or save" }).isVisible()).toBe(false);
    await page.emulateMedia({ media: "screen" });
    await press(page, "Back to the plan");
    await choose(page, /^Another amount/);
    await page.getByLabel("Amount in naira").fill("50,000");
    await press(page, "Pay now");
    await page.getByText("That is more than the ₦43,000 left to pay.").waitFor();
    await inspect(page, "plan-7-wrong-amount");
    await page.getByLabel("Amount in naira").fill("₦1,000.50");
    await press(page, "Pay ₦1,000.50 now");
    await page.getByText("₦1,000.50 is paid").waitFor();
    await choose(page, /^Everything/);
    await press(page, "Pay ₦41,999.50 now");
    await seeStep(page, "All paid");
    await inspect(page, "plan-8-all-paid");
    await press(page, "Leave this page");
    await seeStep(page, "Your payment plan");
    await page.getByText("You have left your plan.").waitFor();
  });

  test("the card is changed on the card page, which leads back into the plan", async () => {
    const sandbox = await world.openSandbox();
    const { url } = await startPlan(sandbox, { outcome: "declines_later" });
    const { page } = await world.visit();
    await comeIn(page, url);
    await press(page, "Change card");
    await seeStep(page, "Add your card");
    await inspect(page, "card-from-plan");
    await typeCard(page, goodCard);
    await page.getByRole("link", { name: "Continue" }).click();
    await seeStep(page, /^Next payment/);
    await page.getByText("Visa card ending 4081").waitFor();
  });
});

/** The same page with another token is another page: a fragment alone would not load it again. */
async function _openElsewhere(page: Page, url: string): Promise<void> {
  await page.goto("about:blank");
  await page.goto(url);
}
