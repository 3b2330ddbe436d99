import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser } from "./in-browser.ts";
import { inspect } from "./inspect.ts";
import { arriveAt, askForCode, chooseMonths, goToCardPage, press, seeStep, typeCard, typeCode } from "./walk.ts";

async function startOrder(page: Page, product: string): Promise<void> {
  await page.getByRole("button", { name: `Buy now, pay later : ${product}` }).click();
  await page.getByRole("heading", { level: 1, name: product }).waitFor();
}

describeInBrowser(
  "the demo shop",
  ({ baseUrl, demo, visit }) => {
    const shop = `${baseUrl}/shop`;

    test("sells to a newcomer, and the second time without asking for the card", async () => {
      const { page } = await visit();
      await page.goto(shop);
      await page
        .getByRole("button", { name: /^Buy now/ })
        .first()
        .waitFor();
      await inspect(page, "shop-1-shelves");
      await startOrder(page, "Rechargeable fan");
      await inspect(page, "shop-2-order");
      await press(page, "Continue to pay later");
      await chooseMonths(page, 3);
      await askForCode(page);
      await typeCode(page);
      await goToCardPage(page);
      await typeCard(page);
      await page.getByRole("link", { name: "Continue" }).click();
      await arriveAt(page, "Your order is paid");
      await page.getByRole("link", { name: "Return to Balogun Home" }).click();
      await seeStep(page, "Thank you for your order");
      await inspect(page, "shop-3-thanks");

      await page.getByRole("link", { name: "Buy something else" }).click();
      await startOrder(page, "Solar lamp set");
      await press(page, "Continue to pay later");
      await chooseMonths(page, 1);
      await askForCode(page);
      await typeCode(page);
      await arriveAt(page, "Your order is paid");
    });

    test("says what is wrong with the form, beside the fields and above them", async () => {
      const { page } = await visit();
      await page.goto(shop);
      await startOrder(page, "Rechargeable fan");
      await page.getByLabel("E-mail").fill("nobody");
      await page.getByLabel("BVN").fill("123");
      await press(page, "Continue to pay later");
      const summary = page.getByRole("alert");
      await summary.getByRole("link", { name: "The BVN has 11 digits." }).waitFor();
      await inspect(page, "shop-2-order-refused");
      await summary.getByRole("link", { name: /^Type an e-mail address/ }).click();
      await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("email");
      await expect.poll(() => page.getByLabel("BVN").getAttribute("aria-invalid")).toBe("true");
    });

    test("sends somebody without credit back to pay in another way", async () => {
      const { page } = await visit();
      await page.goto(shop);
      await startOrder(page, "Rechargeable fan");
      await press(page, /Fill in one who is refused/);
      await press(page, "Continue to pay later");
      await seeStep(page, "We cannot offer you a plan for this order");
    });

    test("believes the API about an order and not the address", async () => {
      const { page } = await visit();
      await page.goto(shop);
      await startOrder(page, "Rechargeable fan");
      await press(page, /Fill in a new customer/);
      await press(page, "Continue to pay later");
      await seeStep(page, /Choose how to pay/);
      const sessionId = new URL(page.url()).pathname.split("/")[2];
      const claimed = `${shop}/order?session_id=${sessionId}&status=completed`;
      await page.goto(claimed);
      await seeStep(page, "Your checkout is still open");
      await inspect(page, "shop-3-still-open");
      const { page: stranger } = await visit();
      await stranger.goto(claimed);
      await seeStep(stranger, "We do not know this order");
      await inspect(stranger, "shop-3-unknown");
      await demo.call("POST", `/loans/bnpl/checkout-sessions/${sessionId}/cancel`);
      await page.goto(claimed);
      await seeStep(page, "You did not buy anything");
      await page.goto(`${shop}/order?session_id=nonsense`);
      await seeStep(page, "We do not know this order");
    });
  },
  "alone",
);
