/** The other tests rely on being told of what they do not look at. */
import { expect, test } from "vitest";
import { answering, createReceiver } from "../../server/testing/webhooks/webhook-receiver.ts";
import { describeWithBrowser } from "./in-browser.ts";
import { inspect } from "./inspect.ts";
import { regularVisitor, visit } from "./visitor.ts";

const headers = {
  "content-type": "text/html",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
};
/** So that the first look, which is by day, sees nothing of it. */
const onlyByNight = (rules: string) =>
  `<style>@media (prefers-color-scheme: dark) and (min-width: 1000px) { ${rules} }</style>`;
const pageOf = (content: string) =>
  `<!doctype html><html lang="en"><title>A page</title><main><h1>A page</h1>${content}</main></html>`;

describeWithBrowser("a visitor", async (browser) => {
  const site = await createReceiver(answering(200, headers, pageOf("")));
  const elsewhere = await createReceiver(answering(200, headers, pageOf("")));
  const origins = [new URL(site.url).origin];

  async function open(content = "") {
    site.behave(answering(200, headers, pageOf(content)));
    const visitor = await visit(browser, { origins });
    await visitor.page.goto(site.url);
    return visitor;
  }

  test.each([
    ["a request to somebody else", `location.href = ${JSON.stringify(elsewhere.url)}`, "asked outside: http"],
    [
      "what the policy stops",
      `document.body.append(Object.assign(new Image(), { src: "/a.png" }))`,
      "(img-src) stopped",
    ],
    ["an uncaught error", `void Promise.reject(new Error("oh no"))`, "uncaught: oh no"],
    ["an error on the console", `console.error("look here")`, "error: look here"],
  ])("complains about %s", async (_name, script, complaint) => {
    const { page, complaints } = await open();
    await page.evaluate(script);
    await expect.poll(() => complaints.join("\n")).toContain(complaint);
    complaints.length = 0;
  });

  const again = regularVisitor(browser, { origins });
  const pages = new Set<object>();

  test.each(["first", "second"])("complains in the %s test of somebody who stays, on one page", async (which) => {
    const { page, complaints } = await again();
    pages.add(page);
    expect([pages.size, complaints]).toEqual([1, []]);
    await page.goto(site.url);
    await page.evaluate(`console.error("the ${which}")`);
    await expect.poll(() => complaints).toEqual([`error: the ${which}`]);
    complaints.length = 0;
  });

  test.each([
    ["too faint", `<p style="color: #aaa; background: #fff">Hardly to be read</p>`, "color-contrast"],
    ["without a name", "<input>", "label"],
    ["wider than a phone", `<div style="width: 400px">Wide</div>`, "the width of"],
    ["too faint by night", `${onlyByNight("p { color: #aaa; background: #fff }")}<p>Hardly to be read</p>`, "contrast"],
    [
      "without a name by night",
      `${onlyByNight("input { display: block !important }")}<input style="display: none">`,
      "label",
    ],
  ])("does not pass over what is %s", async (_name, content, complaint) => {
    const { page } = await open(content);
    await expect(inspect(page, "untidy")).rejects.toThrow(complaint);
  });
});
