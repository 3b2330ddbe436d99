/** Who a person is, how they prove it, and for whom they work. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { ageSessions, shownCode } from "../../server/testing/console.ts";
import { asOwner } from "../../server/testing/work.ts";
import { liveOf, openLive } from "./console-session.ts";
import { describeInBrowser } from "./in-browser.ts";
import { inspect } from "./inspect.ts";
import { callerOf } from "./product.ts";

const password = "correct horse battery";

describeInBrowser(
  "people at the console",
  (world) => {
    /** Somebody new, by the link that an operator hands over. */
    async function letIn(email: string): Promise<string> {
      const operator = callerOf(world.baseUrl, world.tokens.operator);
      const merchants = (await operator("GET", "/operator/merchants")) as unknown as { id: string; name: string }[];
      const merchantId = merchants.find(({ name }) => name === "Demo merchant")?.id;
      const { signInLink } = await operator("POST", "/operator/people", {
        email,
        name: "Bola",
        merchantId,
        role: "owner",
      });
      return String(signInLink);
    }

    const openAccount = async (page: Page) => {
      await page.getByRole("button", { name: "Your account and appearance" }).click();
      await page.getByRole("menuitem", { name: "Your account" }).click();
      await page.getByRole("heading", { level: 1, name: "Your account" }).waitFor();
    };

    const enter = async (page: Page, email: string) => {
      await page.goto(`${world.baseUrl}/console/sign-in`);
      await page.getByLabel("E-mail").fill(email);
      await page.getByLabel("Password").fill(password);
      await page.getByRole("button", { name: "Sign in" }).click();
    };
    const home = (page: Page) => page.getByRole("heading", { level: 1, name: "Home" }).waitFor();

    /** The next call finds that the session has ended, whatever makes it. */
    const isOut = async (page: Page) => {
      await page.reload();
      await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    };

    test("comes in by link, password, code and recovery code, each where it should", async () => {
      await openLive(world);
      const email = "bola@example.com";
      const { page } = await world.visit();
      await page.goto(await letIn(email));
      await home(page);
      await openAccount(page);
      await page.getByRole("button", { name: "Choose a password" }).click();
      await page.getByLabel("New password").fill(password);
      await page.getByRole("dialog").getByRole("button", { name: "Choose a password" }).click();
      await page.getByRole("button", { name: "Change password" }).waitFor();

      const second = await world.visit();
      await enter(second.page, email);
      await home(second.page);

      await page.getByRole("button", { name: "Set up" }).click();
      await page.getByRole("img", { name: "The secret for your app" }).waitFor();
      await inspect(page, "console-authenticator");
      await page.getByText("No camera? Type the secret.").click();
      const typed = (await page.locator("details p").innerText()).replaceAll(/[^A-Z2-7]/g, "");
      await page.getByLabel("The code that the app shows now").fill(shownCode(typed));
      await page.getByRole("button", { name: "Turn on" }).click();
      const recovery = await page.getByLabel("Recovery codes").getByRole("listitem").first().innerText();
      await inspect(page, "console-recovery-codes", "quickly");
      await page.getByRole("button", { name: "I have kept them" }).click();
      await page.getByText("10 recovery codes are left").waitFor();
      expect(await page.content()).not.toContain(recovery);
      await inspect(page, "console-account");

      // The other browser was signed out by it.
      await isOut(second.page);
      await enter(second.page, email);
      await second.page.getByLabel("Code from your authenticator app").fill("000000");
      await second.page.getByRole("button", { name: "Sign in" }).click();
      await second.page.getByText("This code is not right, or was used before.").waitFor();
      await inspect(second.page, "console-sign-in-code");
      await asOwner(world.ownerUrl, "update person_authenticators set last_step = 0");
      await second.page.getByLabel("Code from your authenticator app").fill(shownCode(typed));
      await second.page.getByRole("button", { name: "Sign in" }).click();
      await home(second.page);

      const third = await world.visit();
      await enter(third.page, email);
      await third.page.getByLabel("Code from your authenticator app").fill(recovery);
      await third.page.getByRole("button", { name: "Sign in" }).click();
      await home(third.page);
      const cookies = await third.page.context().cookies();
      expect(cookies).toMatchObject([{ name: "jara.session_token", httpOnly: true, sameSite: "Strict", path: "/" }]);
      expect(await third.page.evaluate("document.cookie")).toBe("");
      await confirmWithCode(third.page, typed);
    });

    /** Where money is real, a write of who signed in a while ago wants a code. */
    async function confirmWithCode(page: Page, secret: string): Promise<void> {
      await ageSessions(world);
      await asOwner(world.ownerUrl, "update person_authenticators set last_step = 0");
      await page.goto(`${world.baseUrl}/console/e/${await liveOf(page)}/approvals`);
      await page.getByRole("button", { name: "Change the limit" }).click();
      await page.getByLabel("Limit in naira").fill("5000");
      await page.getByRole("dialog").getByRole("button", { name: "Change the limit" }).click();
      const confirm = page.getByRole("dialog", { name: "Confirm it's you" });
      await confirm.getByLabel("Code from your authenticator app").fill("000000");
      await confirm.getByRole("button", { name: "Confirm" }).click();
      await confirm.getByRole("alert").waitFor();
      await inspect(page, "console-proof-code", "quickly");
      await confirm.getByLabel("Code from your authenticator app").fill(shownCode(secret));
      await confirm.getByRole("button", { name: "Confirm" }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.getByText("₦5,000.00").first().waitFor();
    }
  },
  "alone",
);
