import { expect, test } from "vitest";
import { describeInBrowser } from "./in-browser.ts";
import { inspect } from "./inspect.ts";

describeInBrowser("the status page", (world) => {
  test("is open to everybody, on a desk and on a phone", async () => {
    const { page } = await world.visit();
    await page.goto(`${world.baseUrl}/status`);
    await page.getByRole("heading", { level: 1, name: "Everything works" }).waitFor();
    await expect.poll(() => page.getByRole("listitem").count()).toBeGreaterThan(5);
    await inspect(page, "status", "quickly");
  });
});
