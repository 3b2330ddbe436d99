/** Every room of the console, at two widths and in both colour schemes, and what can be done in each. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { enterConsole, unfoldTrace } from "./console-session.ts";
import { describeInBrowser } from "./in-browser.ts";
import { inspect } from "./inspect.ts";
import { loanOrder } from "./orders.ts";

const { bvn, nin } = loanOrder;

const customerOrder = {
  first_name: "Bola",
  last_name: "Eze",
  email: "bola@example.com",
  phone: "+2348037654321",
  external_id: "c-1",
  bvn: "22123456780",
  date_of_birth: "1990-01-01",
};

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor();

/** What no page may ever hold, in its text or in its markup. */
async function expectNoSecrets(page: Page, secrets: readonly string[]): Promise<void> {
  const html = await page.content();
  for (const secret of [...secrets, bvn, nin]) expect(html).not.toContain(secret);
}

describeInBrowser("the rooms of the console", (world) => {
  const secrets = [world.tokens.developer, world.tokens.operator];

  test("bills: bought by hand, listed, and traced", async () => {
    const { page, open } = await enterConsole(world);
    await open("/bills");
    await heading(page, "Bills");
    await page.getByRole("button", { name: "Buy a bill" }).click();
    await page.getByLabel("Phone number").fill("08031234567");
    await page.getByLabel("Amount in naira").fill("₦550.50");
    await inspect(page, "console-buy-airtime", "quickly");
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.getByText("Not asked for").waitFor();
    await page.getByRole("button", { name: "Buy", exact: true }).click();
    await heading(page, /^₦550.50 of /);
    await unfoldTrace(page);
    await page.getByText("Money moved: bill.held").waitFor();
    await inspect(page, "console-bill", "quickly");
    await open("/bills");
    await page.getByText("₦550.50").first().waitFor();
    await inspect(page, "console-bills");
  });

  test.each([
    ["data", { "Phone number": "08031234567" }, "Not asked for"],
    ["electricity", { "Meter number": "45012345678", "Phone number": "08031234567", "Amount in naira": "2500" }, null],
    ["tv", { "Smart card number": "7023456789", "Phone number": "08031234567" }, null],
    ["betting", { "Customer id": "1234567", "Amount in naira": "1000" }, null],
  ] as const)("%s is bought by hand, with the name that the provider says", async (category, fields, name) => {
    const { page, open } = await enterConsole(world);
    await open("/bills");
    await page.getByRole("button", { name: "Buy a bill" }).click();
    await page.getByLabel("What").selectOption(category);
    for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
    await page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLSelectElement>("[role=dialog] select")].every(({ value }) => value !== ""),
    );
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await page.getByRole("button", { name: "Buy", exact: true }).waitFor();
    if (name === null) await expect.poll(() => page.locator("dd strong").innerText()).toMatch(/\w/);
    await inspect(page, `console-buy-${category}`, "quickly");
    await page.getByRole("button", { name: "Buy", exact: true }).click();
    await unfoldTrace(page);
    await page.getByText("Money moved: bill.held").waitFor();
  });

  test("loans: the schedule as a picture, a figure explained, and no BVN anywhere", async () => {
    const made = await (await world.merchant()).call("POST", "/loans/create", loanOrder);
    const { page, open } = await enterConsole(world);
    await open("/loans");
    await page.getByRole("link", { name: "Ada Obi" }).first().waitFor();
    await expectNoSecrets(page, secrets);
    await inspect(page, "console-loans", "quickly");
    const id = String((made["loan_request"] as { id?: string } | undefined)?.id ?? made["id"]);
    await open(`/loans/${id}`);
    await heading(page, "₦50,000.00 for Ada Obi");
    await page.getByLabel("Figure").selectOption("total_interest");
    await page.getByText("The amount lent.").waitFor();
    await inspect(page, "console-loan");
    await expectNoSecrets(page, secrets);
  });

  test("customers: what each may borrow", async () => {
    await (await world.merchant()).call("POST", "/loans/bnpl/customers", customerOrder);
    const { page, open } = await enterConsole(world);
    await open("/customers");
    await page.getByRole("link", { name: "Bola Eze" }).waitFor();
    await inspect(page, "console-customers", "quickly");
    await page.getByRole("link", { name: "Bola Eze" }).click();
    await heading(page, "Bola Eze");
    await page.getByText("What this customer may borrow").waitFor();
    await inspect(page, "console-customer", "quickly");
    await expectNoSecrets(page, [...secrets, customerOrder.bvn]);
  });

  test("checkout: what is on its way, one of them, its end by the merchant; no page holds its address", async () => {
    const session = await (await world.merchant()).call("POST", "/loans/bnpl/checkout-sessions", {
      customer: { ...customerOrder, phone: "+2348037654322", bvn: "22123456781" },
      amount: 60_000,
      items: [{ name: "Rechargeable fan", quantity: 2, amount: 60_000 }],
      bank_account_no: "0123456789",
      bank_code: "058",
      order_reference: "console-order",
      success_url: "http://localhost:3000/thanks",
      cancel_url: "http://localhost:3000/basket",
    });
    const token = String(session["url"]).split("#")[1] ?? "";
    const { page, open } = await enterConsole(world);
    await open("/checkout?status=open");
    await page.getByRole("link", { name: "console-order" }).waitFor();
    await inspect(page, "console-checkout");
    await expectNoSecrets(page, [...secrets, token]);
    await page.getByRole("link", { name: "console-order" }).click();
    await heading(page, "₦60,000.00 for console-order");
    await page.getByText("2 × Rechargeable fan").waitFor();
    await page.getByText("Checkout session opened").waitFor();
    await inspect(page, "console-checkout-session");
    await expectNoSecrets(page, [...secrets, token]);
    await page.getByRole("button", { name: "Cancel the checkout" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel the checkout" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByText("Cancelled", { exact: true }).first().waitFor();
    await open("/checkout?status=expired&from=2001-01-01&to=2001-01-02");
    await page.getByText("No results").waitFor();
  });

  test("wallets: balance and statement, and a line leads to its story", async () => {
    const { page, open } = await enterConsole(world);
    await open("/wallets");
    await page.getByText("Main wallet").waitFor();
    await page.locator("[data-row]").first().waitFor();
    await inspect(page, "console-wallets");
    await page.locator("[data-row]").first().click();
    await heading(page, "Trace");
  });

  test("developers and events: an endpoint is made with its secret shown once, an event is sent again", async () => {
    const { page, open } = await enterConsole(world);
    await open("/developers");
    await page.getByRole("button", { name: "Add an endpoint" }).click();
    await page.getByLabel("Address").fill(world.merchantSite.url);
    await page.getByRole("dialog").getByRole("button", { name: "Add an endpoint" }).click();
    const secret = await page.getByLabel("the signing secret").inputValue();
    expect(secret).toMatch(/^whsec_/);
    expect(await page.locator("body").innerText()).not.toContain(secret);
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByText(world.merchantSite.url).waitFor();
    await expectNoSecrets(page, [...secrets, secret]);
    await inspect(page, "console-developers", "quickly");
    await page.getByRole("button", { name: "Send a test" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Send a test" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await open("/events?event=webhook.test");
    await page.getByRole("link", { name: "webhook.test" }).first().click();
    await heading(page, "webhook.test");
    await page.getByRole("button", { name: "Send again" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Send again" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Copy as curl" }).waitFor();
    await inspect(page, "console-event");
    await open("/events");
    await page.locator("[data-row]").first().waitFor();
    await inspect(page, "console-events", "quickly");
  });

  test("keys of one's own: shown once, rotated, revoked", async () => {
    const { page, open } = await enterConsole(world);
    await open("/developers");
    await page.getByRole("button", { name: "Issue a key" }).click();
    await page.getByLabel("Name").fill("Till");
    await page.getByLabel("Scopes").fill("wallets:read");
    await page.getByRole("dialog").getByRole("button", { name: "Issue a key" }).click();
    const key = await page.getByLabel("the key").inputValue();
    expect(key).toMatch(/^sk_test_/);
    const balance = await fetch(`${world.baseUrl}/wallets/balance`, { headers: { authorization: `Bearer ${key}` } });
    expect(balance.status).toBe(200);
    await page.getByRole("button", { name: "Close" }).click();
    const row = page.getByRole("listitem").filter({ hasText: "Till" });
    await row.waitFor();
    await expectNoSecrets(page, [...secrets, key]);
    await row.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await row.getByText("Revoked").waitFor();
  });

  test("requests: filtered by reply, and one with its bodies, masked", async () => {
    await (await world.merchant()).call("POST", "/loans/create", { ...loanOrder, amount: "1" }).catch(() => undefined);
    const { page, open } = await enterConsole(world);
    await open("/requests?status=4xx&method=POST");
    await page.getByRole("link", { name: "POST /loans/create" }).first().waitFor();
    await inspect(page, "console-requests", "quickly");
    await page.getByRole("link", { name: "POST /loans/create" }).first().click();
    await heading(page, "POST /loans/create");
    await page.getByRole("heading", { name: "What was returned" }).waitFor();
    await inspect(page, "console-request", "quickly");
    await expectNoSecrets(page, secrets);
  });

  test("settings: what is fixed, and what a payout costs", async () => {
    const { page, open } = await enterConsole(world);
    await open("/settings");
    await heading(page, "Settings");
    await page.getByText("₦100,000.00").waitFor();
    await page.getByText("There is no limit").waitFor();
    await inspect(page, "console-settings");
  });

  test("the sandbox: money arrives, time stops and moves, a bank goes down", async () => {
    const { page, open } = await enterConsole(world);
    await open("/sandbox");
    await page.getByRole("button", { name: "Fund the wallet" }).click();
    await page.getByLabel("Amount in naira").fill("-5");
    await page.getByRole("dialog").getByRole("button", { name: "Fund the wallet" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Amount in naira").fill("12,345.67");
    await page.getByRole("dialog").getByRole("button", { name: "Fund the wallet" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByLabel("How Wema Bank is").selectOption("down");
    await page.getByText("Down", { exact: true }).first().waitFor();
    await page.getByLabel("How Wema Bank is").selectOption("up");
    await inspect(page, "console-sandbox");
    await page.getByRole("button", { name: "Freeze clock" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Freeze clock" }).click();
    await page.getByText("Frozen").waitFor();
    await page.getByRole("button", { name: "Resume clock" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Resume clock" }).click();
    await page.getByText("Running").waitFor();
  });

  test("a payout by hand shows name, fee and balance before anything moves", async () => {
    const { page, open } = await enterConsole(world);
    await open("/transfers");
    await page.getByRole("button", { name: "Make a payout" }).click();
    await page.getByLabel("Account number").fill("0123456789");
    await page.getByLabel("Amount in naira").fill("2,500.50");
    await page.getByRole("button", { name: "Check name and fee" }).click();
    await page.getByText("Leaves your wallet").waitFor();
    await inspect(page, "console-payout-confirm", "quickly");
    await page.getByRole("button", { name: "Pay ₦2,500.50" }).click();
    await heading(page, /^₦2,500.50 to /);
    await unfoldTrace(page);
    await page.getByText("Money moved: transfer.held").waitFor();
  });
});
