/** A line that breaks while the customer only looks must not spoil what the customer does next. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser } from "./in-browser.ts";
import { choose, comeIn, startPlan } from "./plans.ts";
import { press } from "./walk.ts";

const broken = "We could not reach the server";

/** As a telephone does it that comes out of a pocket. */
const lookAgain = (page: Page) => page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');

describeInBrowser("a line that breaks", (world) => {
  test("a payment that went through is told, although the line was broken before", async () => {
    const sandbox = await world.openSandbox();
    const { url } = await startPlan(sandbox);
    const { page, complaints } = await world.visit();
    await comeIn(page, url);
    await page.route("**/hosted/plan/visit", (route) => route.abort());
    await lookAgain(page);
    await page.getByText(broken).waitFor();
    await page.unroute("**/hosted/plan/visit");
    complaints.length = 0;
    await choose(page, /^Next payment/);
    await press(page, "Pay ₦21,500 now");
    await page.getByText("1 of 3 payments done").waitFor();
    await page.getByText("₦21,500 is paid").waitFor();
    expect(await page.getByText(broken).count()).toBe(0);
  });

  test("a look that fails after a payment has overtaken it says nothing", async () => {
    const sandbox = await world.openSandbox();
    const { url } = await startPlan(sandbox);
    const { page, complaints } = await world.visit();
    await comeIn(page, url);
    const held = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    await page.route("**/hosted/plan/visit", async (route) => {
      asked.resolve();
      await held.promise;
      await route.abort();
    });
    await lookAgain(page);
    await asked.promise;
    await choose(page, /^Next payment/);
    await press(page, "Pay ₦21,500 now");
    await page.getByText("₦21,500 is paid").waitFor();
    const failed = page.waitForEvent("requestfailed");
    held.resolve();
    await failed;
    // Whatever the page makes of the failure, it has made of it by the time that two pictures are drawn.
    await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
    complaints.length = 0;
    await expect.poll(() => page.getByText("₦21,500 is paid").count()).toBe(1);
    expect(await page.getByText(broken).count()).toBe(0);
  });
});
