import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser } from "./in-browser.ts";
import { tabTo } from "./keyboard.ts";
import { freezeClock, openCheckout, passTime, readSession } from "./orders.ts";
import {
  arriveAt,
  askForCode,
  chooseMonths,
  expectAlert,
  goodCard,
  press,
  seeStep,
  typeCard,
  typeCode,
} from "./walk.ts";

describeInBrowser("other ways through the checkout", (world) => {
  test("every step survives a reload, and another device goes on where the first one stopped", async () => {
    const order = await openCheckout(world, await world.openSandbox());
    const { page: phone } = await world.visit();
    const { page: laptop } = await world.visit();
    await phone.goto(order.url);
    await chooseMonths(phone, 9);

    await bothSee([phone, laptop], order.url, "Check your plan");
    await laptop.getByText("All 9 payments").waitFor();
    await askForCode(laptop);

    await bothSee([phone, laptop], order.url, "Type the code we sent you");
    await typeCode(phone);
    await arriveAt(phone, "Add the card for your payments");

    await bothSee([phone, laptop], order.url, "Add the card for your payments");
    await press(laptop, "Add a card");
    await seeStep(laptop, "Add your card");
    await laptop.reload();
    await seeStep(laptop, "Add your card");
    await typeCard(laptop);

    await seeStep(laptop, "Your order is paid");
    await bothSee([phone], order.url, "Your order is paid");
  });

  test("a plan can be changed until the code was answered, and the code is then asked for again", async () => {
    const sandbox = await world.openSandbox();
    await freezeClock(sandbox);
    const order = await openCheckout(world, sandbox);
    const { page } = await world.visit();
    await page.goto(order.url);
    await chooseMonths(page, 3);
    await press(page, "Choose another plan");
    await chooseMonths(page, 12);
    await askForCode(page);
    await press(page, "Choose another plan");
    await chooseMonths(page, 6);
    await page.getByRole("checkbox").check();
    await press(page, "Send me the code");
    await expectAlert(page, "A code is on its way");
    await passTime(sandbox, 60);
    await askForCode(page);
    await typeCode(page);
    await arriveAt(page, "Add the card for your payments");
    const { loan_id: loanId } = await readSession(sandbox, order);
    expect(await sandbox.call("GET", `/loans/bnpl/loans/${loanId}`)).toMatchObject({ tenor: 6 });
  });

  test("the keyboard alone is enough", async () => {
    const order = await openCheckout(world, await world.openSandbox());
    const { page } = await world.visit();
    const { keyboard } = page;
    await page.goto(order.url);
    await seeStep(page, /Choose how to pay/);
    await tabTo(page, /^3 months/);
    await keyboard.press("ArrowDown");
    await tabTo(page, "Continue with 6 months");
    await keyboard.press("Enter");
    await arriveAt(page, "Check your plan");
    await tabTo(page, /^I borrow NGN 60,000/);
    await keyboard.press("Space");
    await tabTo(page, "Send me the code");
    await keyboard.press("Space");
    await arriveAt(page, "Type the code we sent you");
    await tabTo(page, "6-digit code");
    await keyboard.type("123456");
    await keyboard.press("Enter");
    await arriveAt(page, "Add the card for your payments");
    await tabTo(page, "Add a card");
    await keyboard.press("Enter");
    await seeStep(page, "Add your card");
    await tabTo(page, "Card number");
    await keyboard.type(goodCard);
    await tabTo(page, "Expiry date");
    await keyboard.type("1230");
    await tabTo(page, "Security code");
    await keyboard.type("408");
    await keyboard.press("Enter");
    await arriveAt(page, "Your card is saved");
    await tabTo(page, "Continue");
    await keyboard.press("Enter");
    await arriveAt(page, "Your order is paid");
    await tabTo(page, "Return to Ade Stores");
    await keyboard.press("Enter");
    await page.getByRole("heading", { name: "Back at the merchant" }).waitFor();
  });
});

async function bothSee(pages: readonly Page[], url: string, title: string): Promise<void> {
  for (const page of pages) {
    await (page.url() === url ? page.reload() : page.goto(url));
    await seeStep(page, title);
  }
}
