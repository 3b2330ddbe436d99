/** What operators do with records, on a live shop with Paystack's twin. */
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { ageSessions } from "../../server/testing/console.ts";
import { inboundCredentials } from "../../server/testing/providers/inbound-app.ts";
import { startPaystackTwin } from "../../server/testing/providers/paystack-twin.ts";
import { createInboundBooks } from "../../server/testing/providers/paystack-twin-inbound.ts";
import { asOwner, eventually } from "../../server/testing/work.ts";
import { enterConsole } from "./console-session.ts";
import { describeWithBrowser } from "./in-browser.ts";
import { inspect } from "./inspect.ts";
import { openLiveShop } from "./live-shop.ts";
import { demoMerchant, type Product, startProduct } from "./product.ts";
import { visit } from "./visitor.ts";

const nobodysWallet = "01932c5e-0000-7000-8000-000000000001";
const password = "correct horse battery";
/** Longer ago than any night looks back, so that nobody else compares it. */
const day = String(Temporal.Now.plainDateISO("Africa/Lagos").subtract({ days: 10 }));
const noon = new Date(`${day}T12:00:00+01:00`);

/** A live shop with money in its wallet, whose bank and account numbers are Paystack's twin. */
async function openShop(product: Product) {
  const books = createInboundBooks();
  const twin = await startPaystackTwin(0, { parts: [books.part] });
  afterAll(() => twin.close());
  const shop = await openLiveShop(product);
  const { operate, call } = shop;
  const connectionId = await shop.connect("paystack", twin, inboundCredentials("sk_live_twin"), ["bank", "inbound"]);
  const { accountId } = await call("GET", "/wallets/balance");
  const opening = { amount: 100_000, reference: "opening", reason: "Money to pay out" };
  await operate("POST", `/operator/wallets/${accountId}/credit`, opening);
  return {
    ...shop,
    twin,
    books,
    connectionId,
    accountId: String(accountId),
    hookUrl: `${product.baseUrl}/rails/${connectionId}/hook`,
    available: async () => Number((await call("GET", "/wallets/balance"))["available"]),
    /** A payout that has got as far as `status`, as if it had been sent at that moment. */
    pay: async (reference: string, status: string, sentAt: Date) => {
      const payee = { bankCode: "058", accountNumber: "0123456789", currency: "NGN" };
      const { id: payoutId } = await call("POST", "/transfers", { ...payee, reference, amount: 2_500 });
      const read = () => call("GET", `/transfers/${payoutId}`);
      const isThere = async () => (await read())["status"] === status;
      await eventually(`${reference} is ${status}`, isThere);
      const sent = `update transfers set sent_at = '${sentAt.toISOString()}' where id = '${payoutId}'`;
      await asOwner(product.ownerUrl, sent);
      return { read, sessionId: String((await read())["sessionId"]) };
    },
    /** What a whole verification of all books finds. */
    verify: async () => {
      const { id: runId } = await operate("POST", "/operator/verifications", {});
      const read = () => operate("GET", `/operator/verifications/${runId}`);
      const hasEnded = async () => (await read())["state"] !== "running";
      await eventually("the books are verified", hasEnded);
      return read();
    },
  };
}

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor();

describeWithBrowser("the operator's records", async (browser) => {
  const product = await startProduct();
  const shop = await openShop(product);
  const world = {
    ...product,
    merchant: () => demoMerchant(product),
    visit: () => visit(browser, { origins: [product.baseUrl] }),
  };

  test("a connection is paused, takes no orders, and is resumed and checked", async () => {
    const { page, openOperator } = await enterConsole(world);
    await openOperator("/connections");
    await page
      .getByRole("row", { name: /paystack/ })
      .getByRole("link")
      .click();
    await heading(page, "paystack");
    await pressIn(page, "Pause");
    await page.getByRole("button", { name: "Resume" }).waitFor();
    await expect(shop.pay("paused-1", "completed", noon)).rejects.toThrow("503");
    await pressIn(page, "Resume");
    await page.getByRole("button", { name: "Pause" }).waitFor();
    const checkedAt = async () =>
      (await shop.operate("GET", `/operator/connections/${shop.connectionId}`))["checkedAt"];
    const before = await checkedAt();
    await pressIn(page, "Check");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await checkedAt()).not.toBe(before);
  });

  test("a day is compared, and what differs is resolved by who proves to be there", async () => {
    const { sessionId } = await shop.pay("compared-1", "completed", noon);
    shop.twin.bank.listed.change(sessionId, { createdAt: noon, amount: 240_000 });
    const { page, openOperator } = await enterConsole(world);
    await openOperator("/account");
    await page.getByRole("button", { name: "Choose a password" }).click();
    await page.getByLabel("New password").fill(password);
    await page.getByRole("dialog").getByRole("button", { name: "Choose a password" }).click();
    await page.getByRole("button", { name: "Change password" }).waitFor();
    await ageSessions(product);

    await openOperator("/connections");
    await page
      .getByRole("row", { name: /paystack/ })
      .getByRole("link")
      .click();
    await page.getByRole("button", { name: "Compare a day" }).click();
    await page.getByLabel("Day", { exact: true }).fill(day);
    await page.getByRole("dialog").getByRole("button", { name: "Compare a day" }).click();
    await page.getByRole("link", { name: "See how it goes" }).click();
    await heading(page, `Day ${day}`);
    const row = page.getByRole("listitem").filter({ hasText: "Amount differs" });
    await row.getByText("Theirs: ₦2,400.00").waitFor();

    await row.getByRole("button", { name: "Resolve" }).click();
    await page.getByLabel("Reason").fill("Their letter of today: ₦100 follows");
    await page.getByRole("dialog", { name: "Resolve" }).getByRole("button", { name: "Resolve" }).click();
    const confirm = page.getByRole("dialog", { name: "Confirm it's you" });
    await confirm.getByLabel("Your password").fill(password);
    await confirm.getByRole("button", { name: "Confirm" }).click();
    await row.getByText("Resolved").waitFor();
    await row.getByText("Their letter of today: ₦100 follows").waitFor();
    expect(await row.getByRole("button", { name: "Resolve" }).count()).toBe(0);
    await inspect(page, "console-operator-run-resolved", "quickly");
    await row.getByRole("link", { name: sessionId }).click();
    await heading(page, "Payout of ₦2,500.00");
  });

  test("money for a stranger's number waits, and goes to the wallet that it is assigned to", async () => {
    const credit = shop.books.payIn("9999999997", 7_500_000);
    await shop.twin.sendHook(shop.hookUrl, "charge.success", shop.books.show(credit));
    const waits = async () => Object.keys(await shop.operate("GET", "/operator/suspense?state=open")).length > 0;
    await eventually("the money is in suspense", waits);
    const before = await shop.available();
    const { page, openOperator } = await enterConsole(world);
    await openOperator("/suspense");
    const row = page.getByRole("row", { name: /CHIDINMA OKAFOR/ });
    await row.getByText("₦75,000.00").waitFor();
    await inspect(page, "console-operator-suspense-live", "quickly");

    await row.getByRole("button", { name: "Assign" }).click();
    const dialog = page.getByRole("dialog", { name: "Assign" });
    await dialog.getByLabel("Wallet's id").fill(nobodysWallet);
    await dialog.getByLabel("Reason").fill("The payer's receipt names the shop");
    await dialog.getByRole("button", { name: "Assign" }).click();
    await dialog.getByRole("alert").waitFor();
    await dialog.getByLabel("Wallet's id").fill(shop.accountId);
    await dialog.getByRole("button", { name: "Assign" }).click();
    await row.getByText("Assigned").waitFor();
    expect(await row.getByRole("button", { name: "Assign" }).count()).toBe(0);
    expect(await shop.available()).toBe(before + 75_000);
  });

  test("a payout whose outcome nobody tells is ended by the operator, with evidence", async () => {
    const before = await shop.available();
    shop.twin.bank.outcome = "pending";
    const { read } = await shop.pay("payout-1042", "processing", new Date(Date.now() - 15 * 60_000));
    expect(await shop.available()).toBeLessThan(before);
    const { page, openOperator } = await enterConsole(world);
    await openOperator("/unknowns");
    await page.getByText("Returned within 10 min").waitFor();
    await inspect(page, "console-operator-unknowns-live", "quickly");
    await page.getByRole("link", { name: "payout-1042" }).click();
    await heading(page, "Payout of ₦2,500.00");
    await page.getByText(/^TRF_/).first().waitFor();
    await inspect(page, "console-operator-payout", "quickly");

    await page.getByRole("button", { name: "End by hand" }).click();
    const dialog = page.getByRole("dialog", { name: "End by hand" });
    await dialog.getByLabel("Outcome").selectOption("failed");
    await dialog.getByLabel("Evidence").fill("Paystack's ticket 881: never paid");
    await inspect(page, "console-operator-end-by-hand", "quickly");
    await dialog.getByRole("button", { name: "End by hand" }).click();
    await page.getByText("The bank has established that the payment was not made.").first().waitFor();
    expect(await page.getByRole("button", { name: "End by hand" }).count()).toBe(0);
    expect(await read()).toMatchObject({ status: "failed", failureReason: { code: "resolved_by_operator" } });
    expect(await shop.available()).toBe(before);
    await openOperator("/unknowns");
    await page.getByText("No unknown payments").waitFor();
  });

  test("after all this every book agrees", async () => {
    expect(await shop.verify()).toMatchObject({ state: "clean", contradictions: 0 });
  });
});

/** Presses a button, and the same one in the window that it opens. */
async function pressIn(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
  await page.getByRole("dialog", { name }).getByRole("button", { name, exact: true }).click();
}
