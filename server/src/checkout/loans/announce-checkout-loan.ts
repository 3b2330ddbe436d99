/**
 * What a merchant hears of its checkout loans. Lending tells every change in the transaction that makes it; here the
 * checkout loan follows its account, what the merchant waits for becomes an event, the rest of the checkout is told.
 */
import type { Announce, LoanChange, LoanStatus } from "../../lending/account/loan-account.ts";
import { readRepayment } from "../../lending/account/read-loan-account.ts";
import { presentRepayment } from "../../lending/collect/repayment-on-wire.ts";
import type { Repayment } from "../../lending/position/repayment.ts";
import { nairaNumber } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { CheckoutLoan, CheckoutLoanStatus } from "./checkout-loan.ts";
import { setOwedPrincipal, updateCheckoutLoan } from "./checkout-loan-store.ts";
import type { LoanFollowing } from "./loan-moved.ts";
import { computeOwedPrincipal } from "./owed-principal.ts";
import { presentCreditRefund, presentReduction } from "./present-reduction.ts";

import { requireCheckoutLoan } from "./read-checkout-loan.ts";
import { recordLoanEvent, recordLoanRecord } from "./record-loan-event.ts";

/** Becoming active again sends no event: the repayment that caused it has sent one. */
const moveEvents = {
  approved: "bnpl.loan.approved",
  disbursed: "bnpl.loan.disbursed",
  rejected: "bnpl.loan.rejected",
  cancelled: "bnpl.loan.cancelled",
  expired: "bnpl.loan.expired",
  overdue: "bnpl.loan.overdue",
  completed: "bnpl.loan.completed",
} as const satisfies Partial<Record<CheckoutLoanStatus, string>>;

/** `cancelledAs`: to lending a loan that has expired is cancelled like any other. */
export function announceCheckoutLoan(
  { loanMoved }: LoanFollowing,
  cancelledAs: "cancelled" | "expired" = "cancelled",
): Announce {
  return async (tx, changes) => {
    for (const change of changes) {
      if (change.account.owner.kind !== "checkout_loan") continue;
      // A late fee is not principal, and the merchant hears of it with the loan that it makes overdue.
      if (change.what === "late_fee_charged") continue;
      const loan = await requireCheckoutLoan(tx, change.account.owner.id, { lock: true });
      if (change.what !== "moved") {
        await setOwedPrincipal(tx, loan.id, await computeOwedPrincipal(tx, loan));
        await announceMoney(tx, loan, change);
        continue;
      }
      const moved = await followAccount(tx, loan, change.account.status, cancelledAs);
      await setOwedPrincipal(tx, loan.id, await computeOwedPrincipal(tx, moved));
      await announceMove(tx, moved, change.from);
      await loanMoved(tx, moved, loan.status);
    }
  };
}

async function followAccount(
  tx: Tx,
  loan: CheckoutLoan,
  status: LoanStatus,
  cancelledAs: "cancelled" | "expired",
): Promise<CheckoutLoan> {
  if (status === "pending") throw new Error(`loan account ${loan.accountId} cannot be pending again`);
  const to = status === "cancelled" ? cancelledAs : status;
  // What has ended can no longer be consented to.
  const over = to === "rejected" || to === "cancelled" || to === "expired";
  const unconsented = over && loan.consentStatus === "pending_consent";
  const change = { status: to, ...(unconsented ? { consentStatus: "expired" as const } : {}) };
  return updateCheckoutLoan(tx, loan, change);
}

async function announceMove(tx: Tx, loan: CheckoutLoan, from: LoanStatus): Promise<void> {
  const event = loan.status in moveEvents ? moveEvents[loan.status as keyof typeof moveEvents] : undefined;
  // A loan whose payment came back is approved as it was before.
  const isNews = loan.status !== "approved" || from === "pending";
  if (event !== undefined && isNews) await recordLoanRecord(tx, event, loan);
}

async function announceMoney(
  tx: Tx,
  loan: CheckoutLoan,
  change: Exclude<LoanChange, { what: "moved" }>,
): Promise<void> {
  if (change.what === "repaid") {
    const data = await presented(tx, loan, change.repayment);
    await recordLoanEvent(tx, "bnpl.loan.repayment.successful", loan, data);
  }
  if (change.what === "repayment_reversed") {
    await recordLoanEvent(tx, "bnpl.loan.repayment.failed", loan, reversed(loan, change.repayment));
  }
  if (change.what === "reduced") {
    await recordLoanEvent(tx, "bnpl.loan.refunded", loan, await presentReduction(tx, loan, change.reduction));
  }
  if (change.what === "credit_refunded") {
    await recordLoanEvent(tx, "bnpl.loan.credit.refunded", loan, presentCreditRefund(loan.id, change.refund));
  }
}

async function presented(tx: Tx, loan: CheckoutLoan, repayment: Repayment) {
  const found = await readRepayment(tx, loan.accountId, repayment.id);
  if (found === undefined) throw new Error(`repayment ${repayment.id} vanished`);
  return presentRepayment(loan.id, found);
}

function reversed(loan: CheckoutLoan, repayment: Repayment) {
  return {
    id: repayment.id,
    loan_id: loan.id,
    reference: repayment.reference,
    channel: repayment.channel,
    amount: nairaNumber(repayment.amount),
    status: "reversed" as const,
    reason: { code: "reversed", message: repayment.reversalReason ?? "The repayment was taken back." },
    attempt: null,
    next_attempt_at: null,
    created_at: repayment.recordedAt.toISOString(),
  };
}
