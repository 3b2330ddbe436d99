/** Goes through a page as somebody without a mouse does. */
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** What the focused control is called, and whether somebody can see that it has the focus. */
const focused = `(() => {
  const control = document.activeElement;
  const shown = control.type === "radio" ? control.parentElement : control;
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(shown);
  const visible = (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
  return { name: (control.labels?.[0] ?? control).textContent.trim(), visible };
})()`;

const mostTabs = 40;

/** Presses Tab until the control has the focus, which must be seen. */
export async function tabTo(page: Page, wanted: string | RegExp): Promise<void> {
  const passed: string[] = [];
  while (passed.length < mostTabs) {
    await page.keyboard.press("Tab");
    const { name, visible } = await page.evaluate<{ name: string; visible: boolean }>(focused);
    if (typeof wanted === "string" ? name === wanted : wanted.test(name)) {
      expect(visible, `the focus on ${name} can be seen`).toBe(true);
      return;
    }
    passed.push(name);
  }
  throw new Error(`the keyboard does not reach ${wanted}; it passes ${[...new Set(passed)].join(", ")}`);
}
