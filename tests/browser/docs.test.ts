import { test } from "vitest";
import { addressOf, pages } from "../../web/site/pages.ts";
import { describeInBrowser } from "./in-browser.ts";
import { inspect } from "./inspect.ts";

describeInBrowser("the documentation", ({ baseUrl, visitAgain }) => {
  test.each(["/docs", ...pages.map(addressOf)])(
    "%s can be read by everybody, on a desk and on a phone",
    async (path) => {
      const { page } = await visitAgain();
      await page.goto(`${baseUrl}${path}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await inspect(page, path.slice(1).replaceAll("/", "-"), "quickly");
    },
  );
});
