/** Maker and checker at the console: a limit, a payout above it, a second person who sees what they agree to. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { asOwner } from "../../server/testing/work.ts";
import { sampleSpreadsheet } from "../../web/console/bulk/sample-spreadsheet.ts";
import { enterConsole } from "./console-session.ts";
import { describeInBrowser, type World } from "./in-browser.ts";
import { inspect } from "./inspect.ts";
import { callerOf } from "./product.ts";

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor();

/** A colleague of the owner's, let in by the operator and signed in by the link. */
async function letIn(world: World, email: string): Promise<Page> {
  const operator = callerOf(world.baseUrl, world.tokens.operator);
  const person = { email, name: "Checker", merchantId: (await world.merchant()).id, role: "finance" };
  const { signInLink } = await operator("POST", "/operator/people", person);
  const { page } = await world.visit();
  await page.goto(String(signInLink));
  await heading(page, "Home");
  return page;
}

async function orderPayout(page: Page, amount: string): Promise<void> {
  await page.getByRole("button", { name: "Make a payout" }).click();
  await page.getByLabel("Account number").fill("0123456789");
  await page.getByLabel("Amount in naira").fill(amount);
  await page.getByRole("button", { name: "Check name and fee" }).click();
  await page.getByText("Leaves your wallet").waitFor();
  await page.getByRole("button", { name: `Pay ₦${amount}` }).click();
}

describeInBrowser("approvals", (world) => {
  test("a payout above the limit is asked for, seen by a second person, and paid once they agree", async () => {
    const { page, open } = await enterConsole(world);
    await open("/approvals");
    await heading(page, "Approvals");
    await page.getByText("There is no limit").waitFor();
    await page.getByRole("button", { name: "Change the limit" }).click();
    await page.getByLabel("Limit in naira").fill("5,000");
    await page.getByRole("dialog").getByRole("button", { name: "Change the limit" }).click();
    await page.getByText("At most ₦5,000.00 within 24 hours.").waitFor();
    await open("/transfers");
    await orderPayout(page, "7,500.50");
    await page.getByText("This needs a second person.").waitFor();
    await page.getByLabel("Note for the second person").fill("Rent for the stall");
    await inspect(page, "console-approval-ask", "quickly");
    await page.getByRole("button", { name: "Ask for approval" }).click();
    await heading(page, "₦7,500.50 to one account");
    await page.getByText("Somebody else has to approve it.").waitFor();
    const address = page.url();

    const checker = await letIn(world, "checker@example.com");
    await checker.goto(address);
    await heading(checker, "₦7,500.50 to one account");
    await checker.getByText("In the wallet afterwards").waitFor();
    await checker.getByText("Rent for the stall").waitFor();
    await inspect(checker, "console-approval");
    await checker.getByRole("button", { name: "Approve and pay" }).click();
    await checker.getByRole("dialog").getByRole("button", { name: "Pay ₦7,500.50" }).click();
    await checker.getByRole("link", { name: "See what was paid" }).click();
    await heading(checker, /^₦7,500.50 to /);
    await open("/approvals");
    await page.getByText("checker@example.com").waitFor();
    await inspect(page, "console-approvals");
  });

  test("a spreadsheet is read in the browser, zeros and all", async () => {
    const { page, open } = await enterConsole(world);
    await open("/bulk/new");
    const mimeType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    const upload = page.getByLabel("CSV or Excel file");
    await upload.setInputFiles({ name: "broken.xlsx", mimeType, buffer: Buffer.from("no spreadsheet") });
    await page.getByText("Save it as CSV").waitFor();
    await upload.setInputFiles({ name: "may.xlsx", mimeType, buffer: Buffer.from(sampleSpreadsheet) });
    await page.getByLabel("Pay 0123456789?").check();
    await page.getByRole("button", { name: "Review and pay 2 of 2" }).waitFor();
    await page.getByText("Line 2 · 0123456789 · Guaranty Trust Bank").waitFor();
    await inspect(page, "console-bulk-spreadsheet", "quickly");
  });

  test("a file above the limit is asked for as it is, and can be rejected", async () => {
    const { page, open } = await enterConsole(world);
    await open("/bulk/new");
    const rows = ["account number,bank code,amount", "0123456789,058,4000", "0690000032,044,3000.50"].join("\n");
    const file = { name: "may.csv", mimeType: "text/csv", buffer: Buffer.from(rows) };
    await page.getByLabel("CSV or Excel file").setInputFiles(file);
    await page.getByRole("button", { name: "Review and pay 2 of 2" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Pay ₦7,000.50" }).click();
    await page.getByRole("button", { name: "Ask for approval" }).click();
    await heading(page, "₦7,000.50 in 2 payouts");
    const checker = await letIn(world, "second@example.com");
    // Since it was asked for, one account has another holder as far as the asker knew.
    await asOwner(
      world.ownerUrl,
      `update approvals set asked = jsonb_set(asked, '{transfers,1,accountName}', '"SOMEBODY ELSE"') where kind = 'batch'`,
    );
    await checker.goto(page.url());
    await checker.getByText("The banks named 2 of 2 now.").waitFor();
    await checker.getByText("1 of them has another name now, or none. Look before you agree.").waitFor();
    await inspect(checker, "console-approval-batch", "quickly");
    await checker.getByRole("button", { name: "Reject" }).click();
    await checker.getByLabel("Why").fill("Twice the same month");
    await checker.getByRole("dialog").getByRole("button", { name: "Reject" }).click();
    await checker.getByText("Twice the same month").waitFor();
    expect(await checker.getByRole("button", { name: "Approve and pay" }).count()).toBe(0);
  });
});
