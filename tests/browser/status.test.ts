import { expect, test } from "vitest";
import { enterConsole } from "./console-session.ts";
import { describeInBrowser } from "./in-browser.ts";
import { inspect } from "./inspect.ts";
import { callerOf } from "./product.ts";

describeInBrowser(
  "the status page",
  (world) => {
    test("is open to everybody, on a desk and on a phone", async () => {
      const { page } = await world.visit();
      await page.goto(`${world.baseUrl}/status`);
      await page.getByRole("heading", { level: 1, name: "Everything works" }).waitFor();
      await expect.poll(() => page.getByRole("listitem").count()).toBeGreaterThan(5);
      await inspect(page, "status", "quickly");
    });

    test("tells what an operator writes about an incident, until it is over and after", async () => {
      const { page, openOperator } = await enterConsole(world);
      const title = "Payouts to some banks are slow";
      await openOperator("/incidents");
      await page.getByRole("button", { name: "Report incident" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Title").fill(title);
      await dialog.getByLabel("Public update").fill("Call 08031234567 for more.");
      await dialog.getByLabel("Payouts to banks").check();
      await inspect(page, "console-operator-incident-new", "quickly");
      await dialog.getByRole("button", { name: "Publish" }).click();
      await dialog.getByText("must have no secret").waitFor();
      await dialog.getByLabel("Public update").fill("A switch between banks is slow. Payouts are accepted and wait.");
      await dialog.getByRole("button", { name: "Publish" }).click();
      await page.getByRole("link", { name: title }).click();
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
      await page.getByRole("button", { name: "Post update" }).click();
      await dialog.getByLabel("State").selectOption("resolved");
      await dialog.getByLabel("Words").fill("All payouts that waited were paid.");
      await dialog.getByRole("button", { name: "Publish" }).click();
      await page.getByText("All payouts that waited were paid.").waitFor();
      await inspect(page, "console-operator-incident", "quickly");
      await page.getByRole("button", { name: "Post update" }).waitFor({ state: "detached" });

      const late = { title: "Webhooks come late", condition: "not_working", parts: ["deliveries"] };
      const operate = callerOf(world.baseUrl, world.tokens.operator);
      await operate("POST", "/operator/incidents", { ...late, message: "We look for the reason." });
      const anybody = (await world.visit()).page;
      await expect
        .poll(async () => {
          await anybody.goto(`${world.baseUrl}/status`);
          return anybody.locator("article h3").allTextContents();
        })
        .toEqual(["Webhooks come late", title]);
      await inspect(anybody, "status-incidents");
    });
  },
  "alone",
);
