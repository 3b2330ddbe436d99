/**
 * Answering a code takes two transactions. The first takes one of the code's tries and commits; only then are the
 * digits compared. The second uses the code up, writes what was agreed to and takes the loan further, all together: of
 * two right answers at once one finds the code used.
 */
import type { Sealer } from "../../platform/crypto.ts";
import { type Database, inEnvironment, type Tx } from "../../platform/database.ts";
import type { Problem } from "../../platform/problem.ts";
import { requireCustomer } from "../customers/read-customer.ts";
import type { CheckoutLoan } from "../loans/checkout-loan.ts";
import { meetRequirements, noteConsent, type RequirementDependencies } from "../loans/meet-requirements.ts";
import { requireCheckoutLoan } from "../loans/read-checkout-loan.ts";
import { matches } from "./code.ts";
import { type ConsentCode, type ConsentRecord, mostAttempts } from "./consent.ts";
import { findLiveCode, insertRecord, moveCode, takeTry } from "./consent-store.ts";
import { consentProblem } from "./errors.ts";
import { refuseUnlessWaiting } from "./request-consent.ts";
import { hashTerms, readTerms } from "./terms.ts";

export interface VerifyDependencies extends RequirementDependencies {
  readonly db: Database;
  readonly sealer: Sealer;
}

export interface Answer {
  readonly environmentId: string;
  readonly loanId: string;
  readonly otp: string;
}

/** A code that was answered rightly and is not used up yet. */
export interface AnsweredCode {
  readonly codeId: string;
  readonly loanId: string;
}

/** Takes a try, whatever comes of it. Throws one of the otp_ problems unless the digits are right. */
export async function answerCode({ db, sealer }: VerifyDependencies, answer: Answer): Promise<AnsweredCode> {
  const { environmentId, loanId, otp } = answer;
  const taken = await inEnvironment(db, environmentId, (tx) => take(tx, loanId));
  if ("refusal" in taken) throw taken.refusal;
  if (matches(sealer, taken.code, otp)) return { codeId: taken.code.id, loanId };
  throw consentProblem("otp_invalid", { data: { attempts_remaining: mostAttempts - taken.attempts } });
}

type Taken = { readonly code: ConsentCode; readonly attempts: number } | { readonly refusal: Problem };

async function take(tx: Tx, loanId: string): Promise<Taken> {
  const loan = await requireCheckoutLoan(tx, loanId);
  refuseUnlessWaiting(loan);
  const code = await findLiveCode(tx, loan.id);
  if (code === undefined) return { refusal: consentProblem("otp_not_requested") };
  const expired = code.expiresAt <= tx.environment.clock.now();
  if (expired) return { refusal: consentProblem("otp_expired") };
  if (code.attempts >= mostAttempts) return { refusal: consentProblem("otp_attempts_exceeded") };
  await refuseOtherTerms(tx, loan, code);
  const attempts = await takeTry(tx, code.id);
  if (attempts !== undefined) return { code, attempts };
  // Others took the tries that were left, or have just given the right answer.
  refuseUnlessWaiting(await requireCheckoutLoan(tx, loanId));
  return { refusal: consentProblem("otp_attempts_exceeded") };
}

async function refuseOtherTerms(tx: Tx, loan: CheckoutLoan, code: ConsentCode): Promise<void> {
  if (!hashTerms(await readTerms(tx, loan)).equals(code.termsHash)) throw consentProblem("consent_terms_changed");
}

/** Uses the code up and takes the loan further. Throws when another answer, or a change of terms, came first. */
export async function giveConsent(
  tx: Tx,
  deps: VerifyDependencies,
  { codeId, loanId }: AnsweredCode,
): Promise<ConsentRecord> {
  const { customerId } = await requireCheckoutLoan(tx, loanId);
  // Locks: the customer and then the loan, as where a card is linked, so that of consent and card the later one sees
  // the other.
  await requireCustomer(tx, customerId, { lock: true });
  const loan = await requireCheckoutLoan(tx, loanId, { lock: true });
  refuseUnlessWaiting(loan);
  const code = await findLiveCode(tx, loanId);
  if (code?.id !== codeId) throw consentProblem("otp_expired");
  await refuseOtherTerms(tx, loan, code);
  if (!(await moveCode(tx, codeId, "used"))) throw consentProblem("consent_given");
  const { clock } = tx.environment;
  const record: ConsentRecord = {
    ...{ id: clock.newId(), loanId, customerId, codeId, terms: code.terms, scheduleHash: code.termsHash },
    ...{ channel: code.channel, destination: code.destination, messageId: code.messageId },
    ...{ requestedAt: code.sentAt, consentedAt: clock.now() },
  };
  await insertRecord(tx, record);
  await noteConsent(tx, loanId);
  await meetRequirements(tx, deps, loanId);
  return record;
}
