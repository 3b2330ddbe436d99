import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { enterConsole, openLive } from "./console-session.ts";
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

  test("says why a payout failed, and what to do", async () => {
    const { id } = await pay("console-why_FAIL");
    const { page, open } = await enterConsole(world);
    await open(`/transfers/${id}`);
    await page.getByText("To pay again, use a new reference.").waitFor();
    await inspect(page, "console-transfer-failed", "quickly");
  });

  test("several statuses, a bank and amounts narrow a list down, all of them in the address", async () => {
    await pay("console-dear_FAIL", 4321);
    await pay("console-dear", 4321.5);
    const { page, open } = await enterConsole(world);
    await open("/transfers?maxAmount=5000");
    await page.getByRole("link", { name: "console-dear", exact: true }).waitFor();
    await page.getByRole("button", { name: "Status" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Pending" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Processing" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Failed" }).click();
    await page.waitForURL((url) => url.searchParams.get("status") === "pending,processing,failed");
    await inspect(page, "console-filter-choices", "quickly");
    await page.getByRole("menuitemcheckbox", { name: "Pending" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Processing" }).click();
    await page.waitForURL((url) => url.searchParams.get("status") === "failed");
    await page.keyboard.press("Escape");
    await page.getByLabel("At least").fill("₦4,300");
    await page.getByLabel("At least").press("Enter");
    await page.getByLabel("Bank").selectOption({ label: "Guaranty Trust Bank" });
    await page.waitForURL((url) => url.searchParams.get("bankCode") === "058");
    await page.getByText("1 in all").waitFor();
    await page.reload();
    await page.getByText("1 in all").waitFor();
    await page.getByRole("link", { name: "console-dear_FAIL" }).waitFor();
    await expect.poll(() => page.getByLabel("At least").inputValue()).toBe("4300");
    await inspect(page, "console-filtered", "quickly");
    await page.getByLabel("At least").fill("much");
    await page.getByLabel("At least").press("Enter");
    await page.getByRole("alert").getByText("Min amount", { exact: false }).waitFor();
  });

  test("keeps filters in the address, and gives all that match as a file", async () => {
    await pay("console-one");
    await pay("console-two_FAIL");
    const { page, open } = await enterConsole(world);
    await open("/transfers");
    await page.getByLabel("Reference").fill("console-two_FAIL");
    await page.getByLabel("Reference").press("Enter");
    await page.waitForURL("**/transfers?reference=console-two_FAIL");
    await page.getByText("1 in all").waitFor();
    await page.reload();
    await page.getByText("1 in all").waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "CSV" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("transfers.csv");
    const lines = readFileSync(await download.path(), "utf8")
      .trim()
      .split("\r\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain("console-two_FAIL");
    await page.getByLabel("Reference").fill("no-such-payout");
    await page.getByLabel("Reference").press("Enter");
    await page.getByText("No results").waitFor();
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByRole("link", { name: "console-one" }).waitFor();
  });

  test("is walked from the keyboard", async () => {
    await pay("console-keys");
    const { page, open } = await enterConsole(world);
    await open("/transfers");
    await page.getByRole("link", { name: "console-keys" }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("j");
    await expect.poll(() => page.evaluate("document.activeElement.hasAttribute('data-row')")).toBe(true);
    await page.keyboard.press("Enter");
    await page.getByText("Where is the money?").waitFor();
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder(/^A page,/).fill("transf");
    await inspect(page, "console-palette", "quickly");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Transfers" }).waitFor();
  });

  test("finds a record from anywhere by what a person has at hand", async () => {
    await pay("console-sought", 4321.25);
    const { page, open } = await enterConsole(world);
    await open("/wallets");
    await page.getByRole("heading", { level: 1, name: "Wallets" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder(/^A page,/).fill("4,321.25");
    await page.getByRole("option", { name: /console-sought/ }).waitFor();
    await inspect(page, "console-palette-found", "quickly");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: /^₦4,321.25 to / }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder(/^A page,/).fill("nothing is called like this");
    await page.getByText("Nothing is called that.").waitFor();
  });

  test("shows what happens while somebody looks, without being loaded again", async () => {
    const { page, open } = await enterConsole(world);
    await open("/transfers");
    await page.getByRole("heading", { level: 1, name: "Transfers" }).waitFor();
    await page.evaluate("globalThis.stayed = true");
    await pay("console-live", 987.65);
    const row = page.getByRole("row", { name: /console-live/ });
    await row.waitFor();
    await row.getByText("Completed").waitFor();
    expect(await page.evaluate("globalThis.stayed")).toBe(true);
  });

  test("remembers dark or light, and tells LIVE from SANDBOX", async () => {
    await openLive(world);
    const { page, open } = await enterConsole(world);
    await open("/transfers");
    await page.getByText("Sandbox: no real money moves").waitFor();
    await page.getByRole("button", { name: "Your account and appearance" }).click();
    await page.getByRole("menuitemradio", { name: "Dark" }).click();
    await page.reload();
    await page.getByRole("heading", { level: 1 }).waitFor();
    await expect.poll(() => page.evaluate("getComputedStyle(document.documentElement).colorScheme")).toBe("dark");
    await page.getByRole("button", { name: /Switch environment/ }).click();
    await page.getByRole("menuitem", { name: /LIVE/ }).click();
    await page.getByText("Sandbox: no real money moves").waitFor({ state: "detached" });
  });

  test("has its pages in a drawer on a phone", async () => {
    const { page, open } = await enterConsole(world, { viewport: { width: 360, height: 740 } });
    await open("/transfers");
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("dialog", { name: "Jara" }).waitFor();
    await page.getByRole("dialog").getByRole("link", { name: "Transfers" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  test("leads a person whose session ended to the door, and back afterwards", async () => {
    const { page, open } = await enterConsole(world);
    await page.context().clearCookies();
    await open("/transfers?status=failed");
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    expect(new URL(page.url()).searchParams.get("to")).toMatch(/^\/e\/.*\/transfers\?status=failed$/);
    await inspect(page, "console-sign-in");
  });

  test("refuses a link that was used, and shows the other way in", async () => {
    await enterConsole(world);
    const { page } = await world.visit();
    await page.goto((await world.merchant()).signInLink);
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Password").waitFor();
    await inspect(page, "console-sign-in-refused", "quickly");
  });
});
