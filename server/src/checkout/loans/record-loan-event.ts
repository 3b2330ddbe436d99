/** Writes an event about a checkout loan. Every event has a version of its own, so that a reader can tell the order. */
import type { Tx } from "../../platform/database/database.ts";
import { recordEvents } from "../../platform/records/outbox.ts";
import { type CheckoutLoan, checkoutLoanResource } from "./checkout-loan.ts";
import { takeVersion } from "./checkout-loan-store.ts";
import type { checkoutLoanEvents } from "./events.ts";
import { presentCheckoutLoan } from "./present-checkout-loan.ts";
import type { FailedRepayment } from "./schemas.ts";

export type CheckoutLoanEvent = keyof typeof checkoutLoanEvents;

export async function recordLoanEvent(
  tx: Tx,
  event: CheckoutLoanEvent,
  { id }: Pick<CheckoutLoan, "id">,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  const resourceVersion = await takeVersion(tx, id);
  await recordEvents(tx, [{ event, resourceType: checkoutLoanResource, resourceId: id, resourceVersion, data }]);
}

/** With the record as GET shows it at this step. */
export async function recordLoanRecord(tx: Tx, event: CheckoutLoanEvent, loan: CheckoutLoan): Promise<void> {
  await recordLoanEvent(tx, event, loan, await presentCheckoutLoan(tx, loan));
}

/** A charge that was declined: money that was asked for and did not come. */
export async function recordFailedRepayment(tx: Tx, failed: FailedRepayment): Promise<void> {
  await recordLoanEvent(tx, "bnpl.loan.repayment.failed", { id: failed.loan_id }, failed);
}
