/** Who a person is, how they prove it, and for whom they work. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { ageSessions } from "../../server/testing/console.ts";
import { enterConsole, openLive } from "./console-session.ts";
import { describeInBrowser } from "./in-browser.ts";
import { inspect } from "./inspect.ts";

const password = "correct horse battery";

/** As the console's own pages ask. */
function ask(page: Page, path: string, body: object): Promise<number> {
  const sent = { path: `/console/api${path}`, body: JSON.stringify(body) };
  return page.evaluate(async (request) => {
    const headers = { "content-type": "application/json", "x-jara-console": "1" };
    return (await fetch(request.path, { method: "POST", headers, body: request.body })).status;
  }, sent);
}

describeInBrowser("people at the console", (world) => {
  test("confirms that it is you before something dangerous is done, once for ten minutes", async () => {
    await openLive(world);
    const { page, openOperator } = await enterConsole(world);
    await openOperator("");
    await page.getByRole("heading", { level: 1, name: "Merchants" }).waitFor();
    expect(await ask(page, "/password", { newPassword: password })).toBe(200);
    await ageSessions(world);
    const add = async (name: string) => {
      await page.getByRole("button", { name: "Add a merchant" }).click();
      await page.getByLabel("Name").fill(name);
      await page.getByLabel("E-mail").fill("mama@example.com");
      await page
        .getByRole("dialog", { name: "Add a merchant" })
        .getByRole("button", { name: "Add a merchant" })
        .click();
    };
    await add("Proven Ltd");
    const confirm = page.getByRole("dialog", { name: "Confirm it's you" });
    await confirm.getByLabel("Your password").fill("not the password");
    await confirm.getByRole("button", { name: "Confirm" }).click();
    await confirm.getByRole("alert").waitFor();
    await inspect(page, "console-proof");
    await confirm.getByLabel("Your password").fill(password);
    await confirm.getByRole("button", { name: "Confirm" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("row", { name: /Proven Ltd/ }).waitFor();
    await add("Second Ltd");
    await page.getByRole("row", { name: /Second Ltd/ }).waitFor();
    expect(await page.getByRole("row", { name: /Proven Ltd/ }).count()).toBe(1);
  });

  test("does nothing when the window is closed, and says so", async () => {
    const { page, openOperator } = await enterConsole(world);
    await ageSessions(world);
    await openOperator("");
    await page.getByRole("button", { name: "Add a merchant" }).click();
    await page.getByLabel("Name").fill("Never Ltd");
    await page.getByLabel("E-mail").fill("never@example.com");
    await page.getByRole("dialog").getByRole("button", { name: "Add a merchant" }).click();
    await page.getByRole("dialog", { name: "Confirm it's you" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("Nothing was done. Try again, and confirm that it is you.").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    expect(await page.getByText("Never Ltd").count()).toBe(0);
  });
});
