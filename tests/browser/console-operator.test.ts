import { expect, test } from "vitest";
import { openLive, returnToConsole } from "./console-session.ts";
import { describeInBrowser, type World } from "./in-browser.ts";
import { inspect } from "./inspect.ts";
import { loanOrder } from "./orders.ts";
import { callerOf } from "./product.ts";

const rooms = [
  ["", "Merchants"],
  ["/decisions", "Decisions"],
  ["/connections", "Connections"],
  ["/unknowns", "Unknown payments"],
  ["/queues", "Queues"],
  ["/incidents", "Incidents"],
  ["/rates", "Rates"],
  ["/reconciliation", "Reconciliation"],
  ["/suspense", "Suspense"],
  ["/verifications", "Verifications"],
  ["/trace", "Trace"],
  ["/people", "People"],
  ["/audit", "Audit"],
] as const;

const id = "01932c5e-0000-7000-8000-000000000001";
const at = "2026-11-17T01:15:00.000Z";

const connection = {
  id,
  provider: "paystack",
  name: "Paystack payouts",
  mode: "live",
  ports: ["bank", "card"],
  state: "active",
  hold: { message: "Your balance is not enough", advice: "Top up the float, then check again.", since: at },
  float: { available: 1250.5, readAt: at },
  health: { state: "ok", calls: 20, unanswered: 1 },
  checkedAt: at,
  checks: [
    { name: "credentials", ok: true, result: "passed", message: "The key is accepted." },
    { name: "float", ok: false, result: "failed", message: "The balance is below the smallest payout." },
  ],
};
const verification = {
  id,
  state: "contradictions",
  requestedBy: "nightly",
  environments: 12,
  checks: 180,
  contradictions: 1,
  failure: null,
  createdAt: at,
  startedAt: at,
  endedAt: at,
  found: [{ environmentId: id, check: "balance equals entries", subject: id, expected: "5000", found: "4999" }],
};
const given = [
  [`/connections/${id}`, connection, "Top up the float"],
  [`/verifications/${id}`, verification, "balance equals entries"],
] as const;

describeInBrowser(
  "the operator's rooms of the console",
  (world) => {
    test.each(rooms)("%s is open on a desk and on a phone", async (path, title) => {
      const { page, openOperator } = await returnToConsole(world);
      await openOperator(path);
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
      await page.getByText("Loading").first().waitFor({ state: "detached" });
      await inspect(page, `console-operator${path.replace("/", "-")}`, "quickly");
    });

    test.each(given)("%s is shown on a desk and on a phone", async (path, data, text) => {
      const { page, openOperator } = await returnToConsole(world);
      await page.route(`**/console/api/operator${path}`, (route) =>
        route.fulfill({ json: { status: true, message: "Retrieved.", data } }),
      );
      await openOperator(path);
      await page.getByText(text).first().waitFor();
      await inspect(page, `console-operator-record${path.split("/", 2).join("-")}`, "quickly");
    });

    test("the books are verified on demand, and the result is shown", async () => {
      const { page, openOperator } = await returnToConsole(world);
      await openOperator("/verifications");
      // The night's may be under way on a fresh start.
      await page.getByRole("row", { name: /Clean/ }).first().waitFor();
      await page.getByRole("button", { name: "Verify now" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Verify now" }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.getByRole("row").nth(1).click();
      await page.getByText("No differences found").waitFor();
      await inspect(page, "console-operator-verification", "quickly");
    });

    test("the catalogue of bills is shown with its version, and opens line by line", async () => {
      const { page, openOperator } = await returnToConsole(world);
      await openOperator("/rates");
      await page.getByText(/^Data plans/).click();
      await page.getByText("mtn-1gb-7d", { exact: true }).waitFor();
      await inspect(page, "console-operator-catalogue", "quickly");
    });

    test("a live loan waits under what needs attention, and is decided with a reason", async () => {
      await askForLiveLoan(world);
      const { page, openOperator } = await returnToConsole(world);
      await openOperator("");
      await page.getByRole("link", { name: "1 live decision waits for you" }).click();
      const row = page.getByRole("row", { name: /Ngozi Obi/ });
      await row.getByRole("button", { name: "Approve" }).waitFor();
      await inspect(page, "console-operator-decisions-waiting", "quickly");
      await row.getByRole("button", { name: "Reject" }).click();
      await page.getByRole("dialog").getByLabel("Reason").fill("Income not proved, ticket 4711");
      await page.getByRole("dialog").getByRole("button", { name: "Reject" }).click();
      // While the window is open, nothing behind it has a role.
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await row.waitFor({ state: "detached" });
    });

    test("somebody is let in among the operator's people, given another role, and removed", async () => {
      const { page, openOperator } = await returnToConsole(world);
      await openOperator("/people");
      await page.getByRole("button", { name: "Invite operator" }).click();
      await page.getByLabel("Name").fill("Efe Musa");
      await page.getByLabel("E-mail").fill("efe@operator.example");
      await page.getByRole("dialog").getByRole("button", { name: "Make the link" }).click();
      await expect.poll(() => page.getByLabel("The link").inputValue()).toContain("/console/sign-in?token=");
      await page.getByRole("button", { name: "Close" }).click();
      const row = page.getByRole("listitem").filter({ hasText: "Efe Musa" });
      await row.getByText("Support", { exact: true }).waitFor();
      await row.getByRole("button", { name: "Change role" }).click();
      await page.getByRole("dialog").getByLabel("Role").selectOption("reconciliation");
      await page.getByRole("dialog").getByRole("button", { name: "Change role" }).click();
      await row.getByText("Reconciliation", { exact: true }).waitFor();
      await inspect(page, "console-operator-people", "quickly");
      await row.getByRole("button", { name: "Remove" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
      // While the window is open, nothing behind it has a role.
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await row.waitFor({ state: "detached" });
      // The one who is left is the only admin.
      await page.getByRole("button", { name: "Remove" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
      await page.getByRole("alert").getByText("Make somebody else an admin first.", { exact: false }).waitFor();
    });

    test("a merchant is added, and a key of its sandbox is issued and revoked, shown once", async () => {
      const { page, openOperator } = await returnToConsole(world);
      await openOperator("");
      await page.getByRole("button", { name: "Add a merchant" }).click();
      await page.getByLabel("Name").fill("Mama Put Ltd");
      await page.getByLabel("E-mail").fill("mama@example.com");
      await page.getByRole("dialog").getByRole("button", { name: "Add a merchant" }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      const row = page.getByRole("row", { name: /Mama Put Ltd/ });
      await row.getByRole("link", { name: /SANDBOX/ }).click();
      await page.getByRole("heading", { name: "Mama Put Ltd · Sandbox" }).waitFor();
      await page.getByText("Lender's funds").waitFor();
      await page.getByText("No unknown payments and no failing webhooks.").waitFor();
      await page.getByRole("button", { name: "Issue a key" }).click();
      await page.getByLabel("Name").fill("Till");
      await page.getByRole("dialog").getByRole("button", { name: "Issue a key" }).click();
      const key = await page.getByLabel("the key").inputValue();
      expect(key).toMatch(/^sk_test_/);
      await page.getByRole("button", { name: "Close" }).click();
      await page.getByText("Till").waitFor();
      expect(await page.content()).not.toContain(key);
      await inspect(page, "console-operator-keys", "quickly");
      await page.getByRole("button", { name: "Revoke" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
      await page.getByText("Revoked").waitFor();
      const reply = await fetch(`${world.baseUrl}/wallets/balance`, { headers: { authorization: `Bearer ${key}` } });
      expect(reply.status).toBe(401);
    });
  },
  "alone",
);

/** Of the demo merchant, where money would be real. */
async function askForLiveLoan(world: World): Promise<void> {
  const path = `/operator/environments/${await openLive(world)}/keys`;
  const { key } = await callerOf(world.baseUrl, world.tokens.operator)("POST", path, { name: "Till" });
  await callerOf(world.baseUrl, String(key))("POST", "/loans/create", { ...loanOrder, first_name: "Ngozi" });
}
