/** What must hold on every page at every step, on a desk and on a phone, in daylight and at night. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { projectRoot } from "../e2e/server-process.ts";

const folder = join(projectRoot, "test-results", "screenshots");

/** Every page that is looked at reads all of it; the long form takes it half as long again. */
const axeProgram = readFileSync(join(projectRoot, "node_modules", "axe-core", "axe.min.js"), "utf8");

/** Contrast hangs on the colours, reflow on the width, and what stands above what on both. */
const looks = [
  { width: 1280, height: 800, colorScheme: "light" },
  { width: 1280, height: 800, colorScheme: "dark" },
  { width: 360, height: 740, colorScheme: "dark" },
  { width: 360, height: 740, colorScheme: "light" },
] as const;

/** Each width once and each scheme once, and pictures of what is seen first: for many long pages of one make. */
const quickLooks = [looks[0], looks[2]];

/** Every change is checked by one look at each step; the campaign takes them all. */
const takesAllLooks = process.env["JARA_LOOKS"] === "all";

/** Of axe's rules those that look at colours. All others see what `structure` tells, and nothing else. */
const colourRules = ["color-contrast", "link-in-text-block"];

/** What a page consists of, which part of it is shown, and where. */
const structure = `document.documentElement.outerHTML + [...document.querySelectorAll("*")].map((element) => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [element.checkVisibility({ visibilityProperty: true, opacityProperty: true }), x, y, width, height].join();
}).join(";")`;

/** Takes pictures of the step and fails when it is wider than the screen or when axe finds a violation. */
export async function inspect(page: Page, step: string, manner: "fully" | "quickly" = "fully"): Promise<void> {
  mkdirSync(folder, { recursive: true });
  // Some steps go on by themselves after a few seconds, and a look takes longer on a busy machine.
  await page.clock.pauseAt((await page.evaluate<number>("Date.now()")) + 500);
  const before = page.viewportSize();
  let judged = "";
  const chosen = manner === "fully" ? looks : quickLooks;
  for (const { width, height, colorScheme } of takesAllLooks ? chosen : [looks[0]]) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    // To write a long page as PNG takes twice the time.
    const path = join(folder, `${step}-${width}-${colorScheme}.jpg`);
    await page.screenshot({ path, type: "jpeg", fullPage: manner === "fully", animations: "disabled" });
    expect(await scrollWidth(page), `the width of ${step}`).toBeLessThanOrEqual(width);
    const found = await page.evaluate<string>(structure);
    const rules = found === judged ? colourRules : undefined;
    expect(await violations(page, rules), `axe on ${step} (${width}, ${colorScheme})`).toBe("");
    judged = found;
  }
  await page.emulateMedia({ colorScheme: "light" });
  if (before !== null) await page.setViewportSize(before);
  await page.clock.resume();
}

/** How wide the page wants to be. */
export function scrollWidth(page: Page): Promise<number> {
  return page.evaluate<number>("document.documentElement.scrollWidth");
}

/** Places are worked out for what is wrong only: for all that is right they take axe a fifth of its time. */
function findViolations(rules: readonly string[] | undefined): string {
  const options = { resultTypes: ["violations"], ...(rules === undefined ? {} : { runOnly: rules }) };
  return `axe.run(${JSON.stringify(options)}).then((results) => results.violations)`;
}

/** Each with the places where it was found: enough to go and mend it. By all rules unless some are named. */
async function violations(page: Page, rules?: readonly string[]): Promise<string> {
  // Evaluated by the debugger, which the page's content security policy does not bind.
  if (await page.evaluate<boolean>("globalThis.axe === undefined")) await page.evaluate(axeProgram);
  let finished = false;
  const run = page.evaluate<axe.Result[]>(findViolations(rules)).finally(() => {
    finished = true;
  });
  // It waits for timers now and then, and the page's stand still.
  while (!finished) await page.clock.runFor(5);
  const found = await run;
  const lines = found.map(({ id, nodes }) => `${id} at ${nodes.map((node) => node.target.join(" ")).join(", ")}`);
  return lines.join("; ");
}
