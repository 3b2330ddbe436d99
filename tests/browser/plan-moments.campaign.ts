import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser } from "./in-browser.ts";
import { inspect, scrollWidth } from "./inspect.ts";
import { freezeClock, passTime } from "./orders.ts";
import { choose, comeIn, startPlan } from "./plans.ts";
import type { Data } from "./product.ts";
import { arriveAt, expectAlert, press, seeStep } from "./walk.ts";

describeInBrowser("a plan's page", (world) => {
  test("a payment that is late comes first, with why the bank declined it", async () => {
    const sandbox = await world.openSandbox();
    const { url } = await startPlan(sandbox, { outcome: "declines_later" });
    await sandbox.call("POST", "/sandbox/clock/advance", { days: 40 });
    const { page } = await world.visit();
    await comeIn(page, url, /is late$/);
    await page.getByText(/^Your bank declined/).waitFor();
    await inspect(page, "plan-late");
    await press(page, /^Pay ₦/);
    await expectAlert(page, /Your bank declined the payment|Your card was declined a short while ago/);
  });

  test("while the bank owes an answer the page says so, and offers no second payment", async () => {
    const sandbox = await world.openSandbox();
    const { url } = await startPlan(sandbox);
    const { page } = await world.visit();
    let owed = true;
    await page.route("**/hosted/plan/visit", async (route) => {
      const reply = await route.fetch();
      const body = (await reply.json()) as { data: Data };
      const charge = {
        amount: 21_500,
        status: "processing",
        kind: "repayment",
        startedAt: body.data["now"],
        reason: null,
        confirmUrl: null,
      };
      await route.fulfill({ response: reply, json: owed ? { ...body, data: { ...body.data, charge } } : body });
    });
    await comeIn(page, url, "Your payment is under way");
    await page.getByText("We are asking your bank for ₦21,500").waitFor();
    expect(await page.getByRole("radio").count()).toBe(0);
    await inspect(page, "plan-under-way");
    owed = false;
    await page.getByRole("radio").first().waitFor();
  });

  test("a double click pays once, and a line that breaks while paying does too", async () => {
    const sandbox = await world.openSandbox();
    const { url, loanId } = await startPlan(sandbox);
    const { page, complaints } = await world.visit();
    await comeIn(page, url);
    await choose(page, /^Next payment/);
    await page.getByRole("button", { name: "Pay ₦21,500 now" }).dblclick();
    await page.getByText("1 of 3 payments done").waitFor();
    // The payment arrives, and the answer is lost on the way back.
    let cut = true;
    await page.route("**/hosted/plan/visit/pay", async (route) => {
      await route.fetch();
      await (cut ? route.abort() : route.continue());
      cut = false;
    });
    await choose(page, /^Next payment/);
    await press(page, "Pay ₦21,500 now");
    await page.getByText("2 of 3 payments done").waitFor();
    complaints.length = 0;
    expect(await amountsPaid(loanId)).toEqual([21_500, 21_500]);

    async function amountsPaid(id: string) {
      const paid = await sandbox.call("GET", `/loans/bnpl/loans/${id}/repayments`);
      return (paid as unknown as Data[]).map(({ amount }) => amount);
    }
  });

  test("another tab that was faster is noticed before anything is taken", async () => {
    const sandbox = await world.openSandbox();
    const { url, loanId } = await startPlan(sandbox);
    const { page } = await world.visit();
    await comeIn(page, url);
    await choose(page, /^Everything/);
    await sandbox.call("POST", `/loans/bnpl/loans/${loanId}/repayments`, {
      amount: 1_000,
      reference: "at-the-till",
      channel: "card",
    });
    await press(page, "Pay ₦64,500 now");
    await expectAlert(page, "Your plan has changed meanwhile");
    await page.getByRole("radio", { name: /^Everything/ }).waitFor();
    await press(page, "Pay ₦63,500 now");
    await seeStep(page, "All paid");
  });

  test("a stranger with the address of an open page stays outside, and the visit ends in half an hour", async () => {
    const sandbox = await world.openSandbox();
    const { url } = await startPlan(sandbox);
    const { page } = await world.visit();
    await comeIn(page, url);
    const thief = await world.visit();
    await thief.page.goto(page.url());
    await seeStep(thief.page, "Your payment plan");
    for (const secret of ["Ngozi", "21,500", "4081"]) expect(await thief.page.content()).not.toContain(secret);
    await page.reload();
    await seeStep(page, /^Next payment/);
    await passTime(sandbox, 1_801);
    await page.reload();
    await page.getByText("Your visit has ended, to keep your plan safe.").waitFor();
  });

  test("an address that is too old, or not whole, opens nothing", async () => {
    const sandbox = await world.openSandbox();
    const { url } = await startPlan(sandbox);
    const { page } = await world.visit();
    await page.goto(url.replace(/#.*/, "#nothing"));
    await seeStep(page, "This link does not work");
    await inspect(page, "plan-wrong-link");
    await sandbox.call("POST", "/sandbox/clock/advance", { days: 46 });
    await freezeClock(sandbox);
    await openElsewhere(page, url);
    await seeStep(page, "This link has expired");
  });

  test("everything works from the keyboard, on 360 pixels, with twelve payments", async () => {
    const sandbox = await world.openSandbox();
    const { url } = await startPlan(sandbox, { tenor: 12 });
    const { page } = await world.visit({ viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true });
    await page.goto(url);
    await seeStep(page, "Your payment plan");
    await page.getByRole("button", { name: "Send me the code" }).focus();
    await page.keyboard.press("Enter");
    await arriveAt(page, "Type the code we sent you");
    await page.keyboard.press("Tab");
    await page.keyboard.type("123456");
    await page.keyboard.press("Enter");
    await seeStep(page, /^Next payment/);
    expect(await scrollWidth(page)).toBe(360);
    await page.getByRole("radio", { name: /^Next payment/ }).focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => page.getByRole("radio", { name: /^Everything/ }).isChecked()).toBe(true);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText(/ is paid$/).waitFor();
    await page.keyboard.press("Tab");
    expect(await scrollWidth(page)).toBe(360);
  });
});

/** The same page with another token is another page: a fragment alone would not load it again. */
async function openElsewhere(page: Page, url: string): Promise<void> {
  await page.goto("about:blank");
  await page.goto(url);
}
