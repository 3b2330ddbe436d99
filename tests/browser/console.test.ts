import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { enterConsole, unfoldTrace } from "./console-session.ts";
import { describeInBrowser } from "./in-browser.ts";
import { inspect } from "./inspect.ts";

describeInBrowser("the console", (world) => {
  const pay = async (reference: string, amount = 2500) =>
    (await world.merchant()).call("POST", "/transfers", {
      accountNumber: "0123456789",
      bankCode: "058",
      amount,
      currency: "NGN",
      narration: "Rider",
      reference,
    });

  test("shows payouts on a desk and on a phone, and where the money of one is", async () => {
    await pay("console-paid", 1234.5);
    await pay("console-refused_FAIL");
    const { page, open } = await enterConsole(world);
    await open("");
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
    await page.getByRole("heading", { name: "Available balance" }).waitFor();
    // The looks of the hosted pages would take the console's own away.
    await expect.poll(() => page.locator('link[rel="stylesheet"][href*="/shared-"]').count()).toBe(0);
    await page.locator("figure canvas").nth(1).waitFor();
    await page.getByText("As a table").first().click();
    await page.getByRole("columnheader", { name: "Out", exact: true }).waitFor();
    await page.getByRole("rowheader", { name: "Guaranty Trust Bank" }).waitFor();
    await inspect(page, "console-home");
    await page.getByLabel("Period").selectOption("hour");
    await page.getByText("each hour", { exact: false }).first().waitFor();
    await page.getByRole("link", { name: "Transfers", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Transfers" }).waitFor();
    await page.getByRole("link", { name: "console-paid" }).waitFor();
    await page.getByText("₦1,234.50").waitFor();
    await inspect(page, "console-transfers");
    await page.getByRole("link", { name: "console-paid" }).click();
    await page.getByRole("heading", { level: 1, name: /^₦1,234.50 to / }).waitFor();
    await page.getByText("Completed", { exact: true }).waitFor();
    await unfoldTrace(page);
    await page.getByText("Money moved: transfer.held").waitFor();
    await inspect(page, "console-transfer");
  });

  test("pays many from a file, once every bank has named the holder", async () => {
    const { page, open } = await enterConsole(world);
    await open("/bulk");
    await page.getByRole("link", { name: "Upload a file" }).click();
    const upload = page.getByLabel("CSV or Excel file");
    await upload.waitFor({ state: "attached" });
    await inspect(page, "console-bulk-upload", "quickly");
    const file =
      "account no,bank code,amount,ref,name\n123456789,58,1500.50,bulk-1,\n0690000032,044,900,bulk-2,Not This One\n12345,058,5,bulk-3,";
    const buffer = Buffer.from(file);
    await upload.setInputFiles({ name: "may.csv", mimeType: "text/csv", buffer });
    await page.getByText("The account number has 5 digits. It needs ten.").waitFor();
    await page.getByText("The file says Not This One.").waitFor();
    await page.getByText("1 to correct, 2 to confirm, 0 ready").waitFor();
    await inspect(page, "console-bulk-check", "quickly");
    await page.getByLabel("Pay 0123456789?").check();
    await page.getByRole("button", { name: "Review and pay 1 of 3" }).click();
    await page.getByText("One thousand, five hundred naira, fifty kobo only").waitFor();
    await inspect(page, "console-bulk-confirm", "quickly");
    await page.getByRole("dialog").getByRole("button", { name: "Pay ₦1,500.50" }).click();
    await page.getByRole("heading", { level: 1, name: /^Batch may-/ }).waitFor();
    await page.getByText("1 of 3").or(page.getByText("3 of 3")).waitFor();
    await page.getByText("Left out: 2 rows").waitFor();
    await inspect(page, "console-batch", "quickly");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Result file" }).click(),
    ]);
    expect(readFileSync(await download.path(), "utf8")).toContain("bulk-1,completed");
    // The same file again, by anybody: the server stops it.
    await open("/bulk/new");
    await upload.setInputFiles({ name: "again.csv", mimeType: "text/csv", buffer });
    await page.getByLabel("Pay 0123456789?").check();
    await page.getByText(/^This file was paid on .* by you\.$/).waitFor();
    expect(await page.getByRole("button", { name: "Review and pay 1 of 3" }).isDisabled()).toBe(true);
    await inspect(page, "console-bulk-repeated", "quickly");
  });

  test("weighs less than 250 kB of compressed script until the first list is there", async () => {
    const { page, open, scriptBytes } = await enterConsole(world);
    await open("/transfers");
    await page.getByRole("heading", { level: 1, name: "Transfers" }).waitFor();
    expect(await scriptBytes()).toBeLessThan(250_000);
  });

  // The last one: it ends the session that the others share.
  test("signs out, and the door is closed behind", async () => {
    const { page, open } = await enterConsole(world);
    await open("/transfers");
    await page.getByRole("button", { name: "Your account and appearance" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    await open("/transfers");
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
  });
});
