/** A plan that runs: what a merchant and a customer did before the customer looks at its page. */
import type { Page } from "playwright-core";
import { freezeClock, newPerson, openCardLink, passTime } from "./orders.ts";
import type { Sandbox } from "./product.ts";
import { arriveAt, press, seeStep } from "./walk.ts";

export interface RunningPlan {
  readonly loanId: string;
  readonly customerId: string;
  /** Where the customer's page is. */
  readonly url: string;
}

/** The clock stands still afterwards. */
export async function startPlan(
  sandbox: Sandbox,
  { outcome = "linked", tenor = 3 }: { outcome?: "linked" | "declines_later"; tenor?: number } = {},
): Promise<RunningPlan> {
  await freezeClock(sandbox, "2026-11-02T08:00:00.000Z");
  const customerId = String((await sandbox.call("POST", "/loans/bnpl/customers", newPerson()))["id"]);
  const { linkId } = await openCardLink(sandbox, customerId);
  await sandbox.call("POST", `/sandbox/card-links/${linkId}/complete`, { outcome });
  const loan = await sandbox.call("POST", `/loans/bnpl/customers/${customerId}/loans`, {
    amount: 60_000,
    tenor,
    bank_account_no: "0123456789",
    bank_code: "058",
  });
  const loanId = String(loan["id"]);
  await sandbox.call("POST", `/loans/bnpl/loans/${loanId}/consent/request`);
  await sandbox.call("POST", `/loans/bnpl/loans/${loanId}/consent/verify`, { otp: "123456" });
  await passTime(sandbox, 30);
  const { url } = await sandbox.call("POST", `/loans/bnpl/loans/${loanId}/page`, {});
  return { loanId, customerId, url: String(url) };
}

/** From the address to the plan. */
export async function comeIn(page: Page, url: string, title: string | RegExp = /^Next payment/): Promise<void> {
  await page.goto(url);
  await seeStep(page, "Your payment plan");
  await press(page, "Send me the code");
  await arriveAt(page, "Type the code we sent you");
  await answer(page);
  await seeStep(page, title);
}

export async function answer(page: Page, code = "123456"): Promise<void> {
  await page.getByLabel("6-digit code").fill(code);
  await press(page, "See my plan");
}

export async function choose(page: Page, name: RegExp): Promise<void> {
  await page.getByRole("radio", { name }).check();
}
