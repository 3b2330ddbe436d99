/** The end of a charge: its state, the loan's repayment, what the merchant hears and when to try next, all together. */
import type { Announce } from "../../lending/account/loan-account.ts";
import { recordRepayment } from "../../lending/collect/record-repayment.ts";
import { repaymentReferences } from "../../lending/position/repayment.ts";
import { nairaNumber } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import { claimReferences, withdrawReferences } from "../../platform/records/reference-claims.ts";
import { requireCheckoutLoan } from "../loans/read-checkout-loan.ts";
import { recordFailedRepayment } from "../loans/record-loan-event.ts";
import type { Charge, ChargeFailure } from "./charge.ts";
import { endCharge, lockCharge } from "./charge-store.ts";
import { lockCollection } from "./collection-store.ts";
import { planAnew, planRetry } from "./plan-collection.ts";

/** The network has the money: it pays the loan, whatever the loan's state has become meanwhile. */
export async function endAsSuccessful(
  tx: Tx,
  { announce }: { readonly announce: Announce },
  id: string,
): Promise<void> {
  const charge = await lockCharge(tx, id);
  if (charge === undefined) return;
  const { accountId } = await requireCheckoutLoan(tx, charge.loanId);
  const reference = await freeReference(tx, charge);
  const { amount } = charge;
  const { repayment } = await recordRepayment(tx, { accountId, amount, reference, channel: "card", announce });
  await endCharge(tx, id, { to: "successful", repaymentId: repayment.id });
  if (charge.kind !== "collection") return;
  await requireCheckoutLoan(tx, charge.loanId, { lock: true });
  const collection = await lockCollection(tx, charge.loanId);
  if (collection !== undefined) await planAnew(tx, collection);
}

/**
 * The merchant's, unless another repayment has taken it since: what was paid must be recorded all the same. A claim
 * waits for a transaction that is taking it at this moment, and keeps others waiting even after it is withdrawn for the
 * repayment.
 */
async function freeReference(tx: Tx, { id, reference }: Charge): Promise<string> {
  if (reference === null) return id;
  const claim = { references: [reference], recordId: id };
  const [holder] = await claimReferences(tx, repaymentReferences, [claim]);
  if (holder != null) return id;
  await withdrawReferences(tx, repaymentReferences, [claim]);
  return reference;
}

export async function endAsFailed(tx: Tx, id: string, failure: ChargeFailure): Promise<void> {
  if ((await lockCharge(tx, id)) === undefined) return;
  await followFailure(tx, await endCharge(tx, id, { to: "failed", failure }));
}

/** Books the next try, where there is one, and tells the merchant. */
export async function followFailure(tx: Tx, charge: Charge): Promise<void> {
  const { id, loanId, reference, amount, failure, attempt, createdAt } = charge;
  if (failure === null) throw new Error(`charge ${id} has not failed`);
  const nextAttemptAt = charge.kind === "collection" ? await retryLater(tx, loanId) : null;
  await recordFailedRepayment(tx, {
    id,
    loan_id: loanId,
    reference: reference ?? id,
    channel: "card",
    amount: nairaNumber(amount),
    status: "failed",
    reason: failure,
    attempt,
    next_attempt_at: nextAttemptAt?.toISOString() ?? null,
    created_at: createdAt.toISOString(),
  });
}

async function retryLater(tx: Tx, loanId: string): Promise<Date | null> {
  // Locks: the loan and then its collection, as where a collection begins.
  await requireCheckoutLoan(tx, loanId, { lock: true });
  const collection = await lockCollection(tx, loanId);
  return collection === undefined ? null : planRetry(tx, collection);
}
