/**
 * Answering a code takes two transactions. The first takes one of the code's tries and commits; only then are the
 * digits compared (`answer-code.ts`). The second uses the code up, writes what was agreed to and takes the loan
 * further, all together: of two right answers at once one finds the code used.
 */
import { readContract } from "../../lending/account/loan.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { CheckoutLoan } from "../loans/checkout-loan.ts";
import type { Lending } from "../loans/lender.ts";
import { meetRequirements, noteConsent, type RequirementDependencies } from "../loans/meet-requirements.ts";
import { lockCheckoutLoan, requireCheckoutLoan } from "../loans/read-checkout-loan.ts";
import { type AnswerDependencies, type AnsweredCode, requireAnswered, takeAnswer, useUp } from "./answer-code.ts";
import type { ConsentCode, ConsentRecord } from "./consent.ts";
import { insertRecord } from "./consent-store.ts";
import { consentProblem } from "./errors.ts";
import { loanSubject, refuseUnlessWaiting } from "./request-consent.ts";
import { type ConsentTerms, hashTerms, readTerms } from "./terms.ts";

export type VerifyDependencies = RequirementDependencies & AnswerDependencies & Lending;

export interface ConsentAnswer {
  readonly environmentId: string;
  readonly loanId: string;
  readonly otp: string;
}

/** Takes a try, whatever comes of it. Throws one of the otp_ problems unless the digits are right. */
export function answerCode(
  deps: VerifyDependencies,
  { environmentId, loanId, otp }: ConsentAnswer,
): Promise<AnsweredCode> {
  return takeAnswer(deps, {
    environmentId,
    otp,
    subject: loanSubject(loanId),
    requireWaiting: async (tx) => {
      const loan = await requireCheckoutLoan(tx, loanId);
      refuseUnlessWaiting(loan);
      return loan;
    },
    refuseUnlessStanding: async (tx, loan, code) => {
      await requireSameTerms(tx, deps, loan, code);
    },
  });
}

/** The loan's terms, which the code was sent for. Throws consent_terms_changed. */
async function requireSameTerms(
  tx: Tx,
  lending: Lending,
  loan: CheckoutLoan,
  code: ConsentCode,
): Promise<ConsentTerms> {
  const terms = await readTerms(tx, lending, await readContract(tx, loan.accountId));
  if (!hashTerms(terms).equals(code.termsHash)) throw consentProblem("consent_terms_changed");
  return terms;
}

export interface GivenConsent {
  readonly record: ConsentRecord;
  /** As it is since. */
  readonly loan: CheckoutLoan;
}

/** Uses the code up and takes the loan further. Throws when another answer, or a change of terms, came first. */
export async function giveConsent(tx: Tx, deps: VerifyDependencies, answered: AnsweredCode): Promise<GivenConsent> {
  // Locks: the customer and then the loan, as where a card is linked, so that of consent and card the later one sees
  // the other.
  const { customer, loan } = await lockCheckoutLoan(tx, answered.subject.id);
  refuseUnlessWaiting(loan);
  const code = await requireAnswered(tx, answered);
  const terms = await requireSameTerms(tx, deps, loan, code);
  if (!(await useUp(tx, code))) throw consentProblem("consent_given");
  const { clock } = tx.environment;
  const record: ConsentRecord = {
    id: clock.newId(),
    loanId: loan.id,
    customerId: customer.id,
    codeId: code.id,
    terms,
    scheduleHash: code.termsHash,
    channel: code.channel,
    destination: code.destination,
    messageId: code.messageId,
    requestedAt: code.sentAt,
    consentedAt: clock.now(),
  };
  await insertRecord(tx, record);
  const consented = await noteConsent(tx, loan);
  return { record, loan: await meetRequirements(tx, deps, { customer, loan: consented }) };
}
