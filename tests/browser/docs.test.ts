import { expect, test } from "vitest";
import { addressOf, pages } from "../../web/site/pages.ts";
import { describeInBrowser } from "./in-browser.ts";
import { inspect } from "./inspect.ts";

describeInBrowser("the documentation", ({ baseUrl, tokens, visit }) => {
  test.each(["/docs", ...pages.map(addressOf)])(
    "%s can be read by everybody, on a desk and on a phone",
    async (path) => {
      const { page } = await visit();
      await page.goto(`${baseUrl}${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await inspect(page, path.slice(1).replaceAll("/", "-"), "quickly");
    },
  );

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
    expect(await page.locator("#insufficient_funds").isVisible()).toBe(true);
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

  test("is reached from the keyboard, and its menu opens on a phone", async () => {
    const { page } = await visit({ viewport: { width: 360, height: 740 } });
    await page.goto(`${baseUrl}/docs/payouts`);
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to the content");
    const list = page.getByRole("navigation", { name: "Pages" });
    expect(await list.isVisible()).toBe(false);
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
