import { expect, test } from "vitest";
import { describeInBrowser } from "./in-browser.ts";

/** Scalar draws half a megabyte of document, which a busy machine takes its time for. */
const patienceMs = 60_000;

describeInBrowser("the reference", ({ baseUrl, visit }) => {
  test("shows itself at once, and is drawn without a complaint of the browser", async () => {
    const { page } = await visit();
    page.setDefaultTimeout(patienceMs);
    await page.goto(`${baseUrl}/docs/operator`, { waitUntil: "commit" });
    await page.getByRole("heading", { name: "Jara operator API", level: 1 }).first().waitFor();
    await page.goto(`${baseUrl}/docs/reference`);
    await page.getByRole("heading", { name: "Jara API", level: 1, exact: true }).waitFor();
    await page.screenshot({ path: "test-results/screenshots/reference-1280-light.png" });
  });

  test("keeps the key at home", async () => {
    const passedOn = await fetch(`${baseUrl}/docs/reference`, { headers: { "x-forwarded-for": "203.0.113.9" } });
    expect(await passedOn.text()).not.toContain("sk_test_");
    expect(await (await fetch(`${baseUrl}/docs/reference`)).text()).toContain("sk_test_");
  });
});
