import { expect, test } from "vitest";
import { describeInBrowser } from "./in-browser.ts";
import { inspect } from "./inspect.ts";
import { freezeClock, openCheckout, passTime, readSession, unknownPerson } from "./orders.ts";
import { arriveAt, askForCode, chooseMonths, expectAlert, press, seeStep, typeCode } from "./walk.ts";

const aDay = 86_400;

describeInBrowser("what the checkout refuses", (world) => {
  const back = (page: { url(): string }) => {
    const { pathname, searchParams } = new URL(page.url());
    return { pathname, status: searchParams.get("status") };
  };

  async function begin(now?: string) {
    const sandbox = await world.openSandbox();
    await freezeClock(sandbox, now);
    const order = await openCheckout(world, sandbox);
    const { page } = await world.visit();
    await page.goto(order.url);
    return { sandbox, order, page };
  }

  async function beginWithCode() {
    const begun = await begin();
    await chooseMonths(begun.page, 3);
    await askForCode(begun.page);
    return begun;
  }

  test("somebody whom the identity provider does not know gets the reason and a way back", async () => {
    const sandbox = await world.openSandbox();
    const order = await openCheckout(world, sandbox, unknownPerson());
    const { page } = await world.visit();
    await page.goto(order.url);
    await seeStep(page, "We cannot offer you a plan for this order");
    await expect
      .poll(() => page.getByRole("listitem").allTextContents())
      .toEqual([expect.stringMatching(/^This order cannot be paid/)]);
    await inspect(page, "checkout-not-eligible");
    await press(page, "Return to Ade Stores");
    await arriveAt(page, "You cancelled this checkout");
    await page.clock.fastForward(5_000);
    await page.getByRole("heading", { name: "Back at the merchant" }).waitFor();
  });

  test("a wrong code says how many tries are left, and the fifth locks it until a new one is sent", async () => {
    const { page, sandbox } = await beginWithCode();
    for (const left of ["4 tries", "3 tries", "2 tries", "1 try"]) {
      await typeCode(page, "654321");
      await expectAlert(page, `You have ${left} left.`);
      await expect.poll(() => page.getByLabel("6-digit code").inputValue()).toBe("");
    }
    await inspect(page, "checkout-3-code-wrong");
    await typeCode(page, "654321");
    await expectAlert(page, "Too many wrong codes");
    await page.getByLabel("6-digit code").waitFor({ state: "detached" });
    await expect.poll(() => page.getByText("no longer works").count()).toBe(1);
    await inspect(page, "checkout-3-code-locked");
    await passTime(sandbox, 61);
    await page.reload();
    await press(page, "Send a new code");
    await typeCode(page);
    await arriveAt(page, "Add the card for your payments");
  });

  test("half a code is not sent at all", async () => {
    const { page } = await beginWithCode();
    await typeCode(page, "123");
    await expectAlert(page, "The code has 6 digits.");
    await typeCode(page);
    await arriveAt(page, "Add the card for your payments");
  });

  test("an expired code is refused, and the new one is taken", async () => {
    const { page, sandbox } = await beginWithCode();
    await passTime(sandbox, 601);
    await typeCode(page);
    await expectAlert(page, "This code has expired");
    await inspect(page, "checkout-3-code-expired");
    await press(page, "Send a new code");
    await typeCode(page);
    await arriveAt(page, "Add the card for your payments");
  });

  test("a new code can be asked for after a minute and not before", async () => {
    const { page, sandbox } = await beginWithCode();
    await page.getByText(/You can ask for a new code in (1:00|0:5\d)/).waitFor();
    // The page's own clock may be wrong; the sandbox's, which stands still, decides.
    await page.clock.fastForward(61_000);
    await press(page, "Send a new code");
    await expectAlert(page, "A code is on its way");
    await passTime(sandbox, 60);
    await page.reload();
    await press(page, "Send a new code");
    await page.getByText(/You can ask for a new code in/).waitFor();
    const messages = (await sandbox.call("GET", "/sandbox/messages")) as unknown as unknown[];
    expect(messages).toHaveLength(2);
  });

  test("consent does not cover dates that moved at midnight", async () => {
    const { page, sandbox } = await begin("2027-01-14T22:57:00.000Z");
    await chooseMonths(page, 3);
    await askForCode(page);
    await page.getByText("14 February 2027").first().waitFor();
    await passTime(sandbox, 300);
    await typeCode(page);
    await expectAlert(page, "Your payment dates have moved");
    await page.getByText("15 February 2027").first().waitFor();
  });

  test("a session that expired under the customer's hands says so and leads back", async () => {
    const { page, order, sandbox } = await begin();
    await seeStep(page, /Choose how to pay/);
    await passTime(sandbox, aDay + 1);
    await press(page, /^Continue with/);
    await arriveAt(page, "This checkout has expired");
    await expect.poll(() => page.getByText("has expired").count()).toBe(1);
    await inspect(page, "checkout-expired");
    await page.getByRole("link", { name: "Return to Ade Stores" }).click();
    await page.getByRole("heading", { name: "Back at the merchant" }).waitFor();
    expect(back(page)).toEqual({ pathname: "/hooks/basket", status: "expired" });
    expect(await readSession(sandbox, order)).toMatchObject({ status: "expired" });
  });

  test("a customer who cancels is brought back, and the link stays closed", async () => {
    const { page, order, sandbox } = await beginWithCode();
    await press(page, "Cancel and return to Ade Stores");
    await arriveAt(page, "You cancelled this checkout");
    await inspect(page, "checkout-cancelled");
    await page.clock.fastForward(5_000);
    await page.getByRole("heading", { name: "Back at the merchant" }).waitFor();
    expect(back(page)).toEqual({ pathname: "/hooks/basket", status: "cancelled" });
    expect(await readSession(sandbox, order)).toMatchObject({ status: "cancelled", url: null });
    await page.goto(order.url);
    await seeStep(page, "You cancelled this checkout");
    await passTime(sandbox, aDay);
    await page.evaluate(`document.dispatchEvent(new Event("visibilitychange"))`);
    await seeStep(page, "This page is closed");
    expect(await page.getByText("Ade Stores").count()).toBe(0);
    await inspect(page, "checkout-closed");
    await page.reload();
    await seeStep(page, "This page is closed");
  });

  test.each([
    ["half of its token", (url: string) => url.slice(0, -5)],
    ["no token", (url: string) => url.replace(/#.*/, "")],
    ["another session's id and no token", (url: string) => url.replace(/checkout\/.*/, "checkout/nonsense")],
  ])("an address with %s opens nothing", async (_name, spoil) => {
    const order = await openCheckout(world, await world.openSandbox());
    const { page } = await world.visit();
    await page.goto(spoil(order.url));
    await seeStep(page, "This link does not work");
  });
});
