/** Owners ask people to join; links work once; who is removed is out at once. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { enterConsole } from "./console-session.ts";
import { describeInBrowser } from "./in-browser.ts";
import { inspect } from "./inspect.ts";

const password = "correct horse battery";

describeInBrowser("the team at the console", (world) => {
  const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor();

  async function invite(page: Page, email: string, role: string): Promise<string> {
    await page.getByRole("button", { name: "Invite" }).click();
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Role").selectOption(role);
    await page.getByRole("button", { name: "Make the link" }).click();
    const link = await page.getByLabel("The link").inputValue();
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByText(email).waitFor();
    return link;
  }

  /** While a window is open nothing else on the page has a role: what is gone then may be there still. */
  const isClosed = (page: Page) => page.getByRole("dialog").waitFor({ state: "detached" });

  const join = async (page: Page) => {
    await page.getByLabel("Your name").fill("Bola Ade");
    await page.getByLabel("Choose a password").fill(password);
    await page.getByRole("button", { name: "Join" }).click();
    await heading(page, "Home");
  };

  test("somebody new joins by a link in a browser of their own, and is put out again", async () => {
    const owner = await enterConsole(world);
    await owner.open("/team");
    await heading(owner.page, "Team");
    const link = await invite(owner.page, "bola@example.com", "finance");
    expect(await owner.page.content()).not.toContain(link);
    await inspect(owner.page, "console-team");

    const bola = await world.visit();
    await bola.page.goto(link);
    await heading(bola.page, "Join Ade Stores");
    await inspect(bola.page, "console-join");
    await join(bola.page);
    await bola.page.getByRole("link", { name: "Team", exact: true }).click();
    await bola.page.getByText("(you)").waitFor();
    expect(await bola.page.getByRole("button", { name: "Invite" }).count()).toBe(0);
    expect(await bola.page.getByRole("button", { name: "Remove" }).count()).toBe(0);

    const late = await world.visit();
    await late.page.goto(link);
    await late.page.getByText("This invitation was used before, was withdrawn, or has expired.").waitFor();
    await inspect(late.page, "console-join-refused", "quickly");

    await owner.page.reload();
    const row = owner.page.getByRole("listitem").filter({ hasText: "bola@example.com" });
    await row.getByRole("button", { name: "Change role" }).click();
    await owner.page.getByLabel("Role", { exact: true }).selectOption("viewer");
    await owner.page.getByRole("dialog").getByRole("button", { name: "Change role" }).click();
    await row.getByText("Viewer", { exact: true }).waitFor();
    await row.getByRole("button", { name: "Remove" }).click();
    await owner.page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await isClosed(owner.page);
    await row.waitFor({ state: "detached" });
    await bola.page.reload();
    await bola.page.getByText("You have no access to this page").waitFor();

    // The account is still there, so the next invitation is accepted by signing in.
    const again = await invite(owner.page, "bola@example.com", "support");
    const back = await world.visit();
    await back.page.goto(again);
    await back.page.getByRole("link", { name: "Sign in" }).click();
    await back.page.getByLabel("E-mail").fill("bola@example.com");
    await back.page.getByLabel("Password").fill(password);
    await back.page.getByRole("button", { name: "Sign in" }).click();
    await heading(back.page, "Join Ade Stores");
    await back.page.getByRole("button", { name: "Join" }).click();
    await heading(back.page, "Home");
  });

  test("the last owner stays, and the page says why", async () => {
    const { page, open } = await enterConsole(world);
    await open("/team");
    const own = page.getByRole("listitem").filter({ hasText: "(you)" });
    await own.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("A merchant needs an owner.").waitFor();
  });

  test("an invitation that is withdrawn opens nothing", async () => {
    const owner = await enterConsole(world);
    await owner.open("/team");
    const link = await invite(owner.page, "chidi@example.com", "developer");
    const row = owner.page.getByRole("listitem").filter({ hasText: "chidi@example.com" });
    await row.getByRole("button", { name: "Withdraw" }).click();
    await owner.page.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click();
    await isClosed(owner.page);
    await row.waitFor({ state: "detached" });
    const { page } = await world.visit();
    await page.goto(link);
    await page.getByRole("alert").waitFor();
  });
});
