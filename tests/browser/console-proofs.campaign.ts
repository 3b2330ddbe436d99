/** Who a person is, how they prove it, and for whom they work. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { ageSessions, shownCode } from "../../server/testing/console.ts";
import { asOwner } from "../../server/testing/work.ts";
import { enterConsole, liveOf, openLive } from "./console-session.ts";
import { describeInBrowser } from "./in-browser.ts";
import { inspect } from "./inspect.ts";
import { callerOf } from "./product.ts";

const password = "correct horse battery";

/** As the console's own pages ask. */
function ask(page: Page, path: string, body: object): Promise<number> {
  const sent = { path: `/console/api${path}`, body: JSON.stringify(body) };
  return page.evaluate(async (request) => {
    const headers = { "content-type": "application/json", "x-jara-console": "1" };
    return (await fetch(request.path, { method: "POST", headers, body: request.body })).status;
  }, sent);
}

/** Gives the page a device that keeps passkeys and knows its owner's finger. */
async function holdDevice(page: Page) {
  const device = await page.context().newCDPSession(page);
  await device.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
  } as const;
  const { authenticatorId } = await device.send("WebAuthn.addVirtualAuthenticator", {
    options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
  });
  return { refuse: () => device.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false }) };
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Your account and appearance" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
}

describeInBrowser(
  "people at the console",
  (world) => {
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
      await expect.poll(() => page.getByRole("row", { name: /Proven Ltd/ }).count()).toBe(1);
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

    const _enter = async (page: Page, email: string) => {
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

    /** Where money is real, a write of who signed in a while ago wants a code. */
    async function _confirmWithCode(page: Page, secret: string): Promise<void> {
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

    test("comes in and confirms with a passkey, until it is removed", async () => {
      const { page } = await world.visit();
      await holdDevice(page);
      await page.goto(await letIn("dayo@example.com"));
      await home(page);
      await openAccount(page);
      await page.getByText("None yet. A passkey is on your phone").waitFor();
      await inspect(page, "console-passkeys-none", "quickly");
      await page.getByRole("button", { name: "Add a passkey" }).click();
      const adding = page.getByRole("dialog", { name: "Add a passkey" });
      await adding.getByLabel("Name").fill("Dayo's laptop");
      await inspect(page, "console-passkey-add", "quickly");
      await adding.getByRole("button", { name: "Go on" }).click();
      await page.getByRole("listitem").filter({ hasText: "Dayo's laptop" }).getByText("not used yet").waitFor();
      await signOut(page);
      await inspect(page, "console-sign-in");
      await page.getByRole("button", { name: "Use a passkey" }).click();
      await home(page);
      await openAccount(page);
      const mine = page.getByRole("listitem").filter({ hasText: "Dayo's laptop" });
      await mine.getByText("last used").waitFor();
      await inspect(page, "console-passkeys");
      await ageSessions(world);
      await mine.getByRole("button", { name: "Remove" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
      const confirm = page.getByRole("dialog", { name: "Confirm it's you" });
      await confirm.getByRole("button", { name: "Use a passkey" }).waitFor();
      await inspect(page, "console-proof-passkey", "quickly");
      await confirm.getByRole("button", { name: "Use a passkey" }).click();
      await page.getByText("None yet. A passkey is on your phone").waitFor();
      await signOut(page);
      await page.getByRole("button", { name: "Use a passkey" }).click();
      await page.getByText("This passkey was not accepted").waitFor();
    });

    test("says what to do when the device does not say who it is", async () => {
      const { page } = await world.visit();
      const { refuse } = await holdDevice(page);
      await refuse();
      await page.goto(`${world.baseUrl}/console/sign-in`);
      await page.getByRole("button", { name: "Use a passkey" }).click();
      await page.getByText("No passkey was used. Try again").waitFor();
    });

    test("ends another session, and everywhere else, from the account page", async () => {
      const link = async () => letIn("chidi@example.com");
      const [one, two, three] = [await world.visit(), await world.visit(), await world.visit()];
      for (const { page } of [one, two, three]) {
        await page.goto(await link());
        await home(page);
      }
      await openAccount(one.page);
      await one.page.getByText("This one").waitFor();
      await expect.poll(() => one.page.getByRole("button", { name: "End", exact: true }).count()).toBe(2);
      await one.page.getByRole("button", { name: "End", exact: true }).first().click();
      await one.page.getByRole("dialog").getByRole("button", { name: "End" }).click();
      await one.page.getByRole("dialog").waitFor({ state: "detached" });
      await isOut(three.page);
      await one.page.getByRole("button", { name: "Sign out everywhere else" }).click();
      await one.page.getByRole("dialog").getByRole("button", { name: "Sign out elsewhere" }).click();
      await one.page.getByRole("dialog").waitFor({ state: "detached" });
      await isOut(two.page);
      await expect.poll(() => one.page.getByRole("button", { name: "End", exact: true }).count()).toBe(0);
    });
  },
  "alone",
);
