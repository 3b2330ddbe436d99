/** The steps of a checkout, walked as a person does: by what stands on the buttons. */
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** The test cards of a sandbox. */
export const goodCard = "4084084084084081";
export const refusedCard = "4084080000005408";

/** Waits for a step; its heading has the focus, so that a screen reader begins to read there. */
export async function arriveAt(page: Page, title: string | RegExp): Promise<void> {
  await seeStep(page, title);
  await page.waitForFunction(`document.activeElement === document.querySelector("h1")`);
}

/** Waits for a step that the page opens with. */
export async function seeStep(page: Page, title: string | RegExp): Promise<void> {
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
}

export async function press(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole("button", { name }).click();
}

export async function chooseMonths(page: Page, months: number): Promise<void> {
  await seeStep(page, /Choose how to pay/);
  await page.getByRole("radio", { name: new RegExp(`^${months} month`) }).check();
  await press(page, months === 1 ? "Continue with 1 month" : `Continue with ${months} months`);
  await arriveAt(page, "Check your plan");
}

export async function askForCode(page: Page): Promise<void> {
  await page.getByRole("checkbox", { name: /^I borrow/ }).check();
  await press(page, "Send me the code");
  await arriveAt(page, "Type the code we sent you");
}

export async function typeCode(page: Page, code = "123456"): Promise<void> {
  await page.getByLabel("6-digit code").fill(code);
  await press(page, "Agree and continue");
}

export async function goToCardPage(page: Page): Promise<void> {
  await arriveAt(page, "Add the card for your payments");
  await press(page, "Add a card");
  await seeStep(page, "Add your card");
}

export async function typeCard(page: Page, number = goodCard): Promise<void> {
  await page.getByLabel("Card number").fill(number);
  await page.getByLabel("Expiry date").fill("12 / 30");
  await page.getByLabel("Security code").fill("408");
  await press(page, "Save this card");
}

/** From the first page to the card's. */
export async function agree(page: Page, url: string, months = 3): Promise<void> {
  await page.goto(url);
  await chooseMonths(page, months);
  await askForCode(page);
  await typeCode(page);
}

/** What a problem says that is read out at once. */
export async function expectAlert(page: Page, text: string | RegExp): Promise<void> {
  const alert = page.getByRole("alert").filter({ hasText: text });
  await alert.first().waitFor();
  await expect.poll(() => alert.count()).toBe(1);
}
