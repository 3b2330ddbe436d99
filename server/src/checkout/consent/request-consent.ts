import { readContract } from "../../lending/account/loan.ts";
import type { Tx } from "../../platform/database/database.ts";
import { commonProblem } from "../../platform/problem.ts";
import type { CheckoutLoan } from "../loans/checkout-loan.ts";
import type { Lending } from "../loans/lender.ts";
import { lockCheckoutLoan } from "../loans/read-checkout-loan.ts";
import { type CodeSubject, type ConsentRequest, consentRequestOf } from "./consent.ts";
import { findLiveCode } from "./consent-store.ts";
import { consentProblem } from "./errors.ts";
import { type CodeDependencies, issueCode } from "./issue-code.ts";
import { hashTerms, readTerms } from "./terms.ts";

export function loanSubject(id: string): CodeSubject {
  return { kind: "loan", id };
}

export type ConsentDependencies = CodeDependencies & Lending;

/**
 * Has a code sent to the customer, for the loan's terms of today. An earlier code stops counting. `ticked` is the hash
 * of the terms that the customer has agreed to on the page: a code is not sent for others.
 */
export async function requestConsent(
  tx: Tx,
  deps: ConsentDependencies,
  { loanId, ticked }: { readonly loanId: string; readonly ticked?: string },
): Promise<ConsentRequest> {
  // Locks: the customer, because the day's limit counts over all loans, and then the loan.
  const { customer, loan } = await lockCheckoutLoan(tx, loanId);
  refuseUnlessWaiting(loan);
  const terms = await readTerms(tx, deps, await readContract(tx, loan.accountId));
  if (ticked !== undefined && ticked !== hashTerms(terms).toString("hex"))
    throw consentProblem("consent_terms_changed");
  return consentRequestOf(await issueCode(tx, deps, { customer, subject: loanSubject(loan.id), terms }));
}

/** The code that stands for the terms as they are now, if one was sent; one for other terms can only be refused. */
export async function readConsentRequest(
  tx: Tx,
  loan: CheckoutLoan,
  termsHash: Buffer,
): Promise<ConsentRequest | null> {
  const code = await findLiveCode(tx, loanSubject(loan.id));
  if (code === undefined) return null;
  return termsHash.equals(code.termsHash) ? consentRequestOf(code) : null;
}

/** Throws consent_given or invalid_state. */
export function refuseUnlessWaiting({ status, consentStatus }: CheckoutLoan): void {
  if (consentStatus === "consented") throw consentProblem("consent_given");
  if (status === "pending_consent") return;
  throw commonProblem("invalid_state", {
    message: `The loan is ${status}; there is nothing to consent to.`,
    data: { status },
  });
}
