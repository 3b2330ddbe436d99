import { expect, test } from "vitest";
import { describeInBrowser } from "./in-browser.ts";
import { inspect } from "./inspect.ts";

describeInBrowser("the documentation", ({ baseUrl, tokens, visit }) => {
  test("is searched from the keyboard", async () => {
    const { page } = await visit();
    await page.goto(`${baseUrl}/docs/payouts`);
    await page.keyboard.press("/");
    await page.keyboard.type("insufficient funds");
    await page.getByRole("option").first().waitFor();
    await page.screenshot({ path: "test-results/screenshots/docs-search.png" });
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/docs/errors#insufficient_funds");
    await expect.poll(() => page.locator("#insufficient_funds").isVisible()).toBe(true);
  });

  test("carries the reader's own key in examples that are copied", async () => {
    const { page } = await visit({ permissions: ["clipboard-read", "clipboard-write"] });
    await page.goto(`${baseUrl}/docs/payouts`);
    await page.getByText("The examples carry your own sandbox key.").waitFor();
    await page.getByRole("button", { name: "Copy" }).first().click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(copied).toContain(`Bearer ${tokens.developer}`);
    expect(copied).not.toMatch(/\$(BASE|KEY)\b/);
  });

  test("carries the reader's own key and address in programs too", async () => {
    const { page } = await visit();
    await page.goto(`${baseUrl}/docs/payouts`);
    await page.getByText("The examples carry your own sandbox key.").waitFor();
    const program = page.locator('pre[data-language="TypeScript"]').filter({ hasText: "new Jara(" });
    const { port } = new URL(baseUrl);
    const text = (await program.textContent()) ?? "";
    expect(text).toContain(`secretKey: "${tokens.developer}"`);
    expect(text).toMatch(new RegExp(`baseUrl: "http://[a-z0-9.]+:${port}"`));
    expect(text).not.toContain("process.env");
  });

  test("is light or dark as its reader chooses, also on the next page, and readable in both", async () => {
    const { page } = await visit({ colorScheme: "light" });
    const ground = () => page.evaluate<string>("getComputedStyle(document.documentElement).backgroundColor");
    const open = async (path: string) => {
      await page.goto(`${baseUrl}${path}`);
      await page.getByRole("button", { name: /^Theme/ }).waitFor();
    };
    await open("/docs/payouts");
    const day = await ground();
    await page.emulateMedia({ colorScheme: "dark" });
    const night = await ground();
    expect(night).not.toBe(day);
    await page.getByRole("button", { name: "Theme: system" }).click();
    expect([await ground(), await page.evaluate("document.documentElement.style.colorScheme")]).toEqual([day, "light"]);
    await open("/docs/bills");
    expect(await ground()).toBe(day);
    await inspect(page, "docs-chosen-light", "quickly");
    await page.emulateMedia({ colorScheme: "light" });
    await page.getByRole("button", { name: "Theme: light" }).press("Enter");
    expect(await ground()).toBe(night);
    await open("/docs/payouts");
    expect(await ground()).toBe(night);
    await inspect(page, "docs-chosen-dark", "quickly");
    await page.getByRole("button", { name: "Theme: dark" }).click();
    await page.getByRole("button", { name: "Theme: system" }).waitFor();
    expect(await ground()).toBe(day);
  });

  test("is reached from the keyboard, and its menu opens on a phone", async () => {
    const { page } = await visit({ viewport: { width: 360, height: 740 } });
    await page.goto(`${baseUrl}/docs/payouts`);
    await page.keyboard.press("Tab");
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Skip to the content");
    const list = page.getByRole("navigation", { name: "Pages" });
    await expect.poll(() => list.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Menu" }).press("Enter");
    await list.getByRole("link", { name: "Bills" }).click();
    await page.getByRole("heading", { name: "Bills", level: 1 }).waitFor();
  });

  test("leads old addresses of the reference on", async () => {
    const { page } = await visit();
    await page.goto(`${baseUrl}/docs#tag/transfers`);
    await page.waitForURL("**/docs/reference#tag/transfers");
  });
});
