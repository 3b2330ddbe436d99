import { lagosDate, startOfLagosDay } from "../../lending/lagos-date.ts";
import { findEnvironment } from "../../merchants/find-environment.ts";
import { schedule } from "../../platform/agenda.ts";
import type { Sealer } from "../../platform/crypto.ts";
import type { Tx } from "../../platform/database.ts";
import { commonProblem } from "../../platform/problem.ts";
import { type MessageRails, messageRailFor } from "../../rails/registry.ts";
import { requireCustomer } from "../customers/read-customer.ts";
import type { CheckoutLoan } from "../loans/checkout-loan.ts";
import { requireCheckoutLoan } from "../loans/read-checkout-loan.ts";
import { hashDigits, newDigits } from "./code.ts";
import {
  type ConsentCode,
  type ConsentRequest,
  codeLifeMs,
  consentRequestOf,
  maskPhone,
  mostSendsPerDay,
  mostSendsPerWindow,
  resendAfterMs,
  sendWindowMs,
} from "./consent.ts";
import { findLiveCode, insertCode, moveCode, readSendTimes } from "./consent-store.ts";
import { consentProblem } from "./errors.ts";
import { sendCodeTask } from "./tasks.ts";
import { hashTerms, readTerms } from "./terms.ts";

export interface ConsentDependencies {
  readonly sealer: Sealer;
  readonly rails: MessageRails;
}

/** Has a code sent to the customer, for the loan's terms of today. An earlier code stops counting. */
export async function requestConsent(tx: Tx, deps: ConsentDependencies, loanId: string): Promise<ConsentRequest> {
  const { customerId } = await requireCheckoutLoan(tx, loanId);
  // Locks: the customer, because the day's limit counts over all loans, and then the loan.
  const customer = await requireCustomer(tx, customerId, { lock: true });
  const loan = await requireCheckoutLoan(tx, loanId, { lock: true });
  refuseUnlessWaiting(loan);
  const { kind } = await findEnvironment(tx, tx.environment.id);
  messageRailFor(deps.rails, kind);
  await refuseTooMany(tx, loan);
  const earlier = await findLiveCode(tx, loan.id);
  if (earlier !== undefined) await moveCode(tx, earlier.id, "replaced");
  const { clock } = tx.environment;
  const id = clock.newId();
  const terms = await readTerms(tx, loan);
  const code: ConsentCode = {
    ...{ id, loanId: loan.id, customerId, terms, termsHash: hashTerms(terms) },
    codeHash: hashDigits(deps.sealer, { id, loanId: loan.id }, newDigits(deps.sealer, kind, id)),
    ...{ channel: "sms", phone: customer.phone, destination: maskPhone(customer.phone), messageId: clock.newId() },
    ...{ attempts: 0, status: "live", sentAt: clock.now() },
    expiresAt: new Date(clock.now().getTime() + codeLifeMs),
  };
  await insertCode(tx, code);
  await schedule(tx, [{ kind: sendCodeTask, subject: id }]);
  return consentRequestOf(code);
}

/** The code that stands for the terms as they are now, if one was sent; one for other terms can only be refused. */
export async function readConsentRequest(tx: Tx, loan: CheckoutLoan): Promise<ConsentRequest | null> {
  const code = await findLiveCode(tx, loan.id);
  if (code === undefined) return null;
  return hashTerms(await readTerms(tx, loan)).equals(code.termsHash) ? consentRequestOf(code) : null;
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

async function refuseTooMany(tx: Tx, loan: CheckoutLoan): Promise<void> {
  const now = tx.environment.clock.now();
  const ago = (ms: number): Date => new Date(now.getTime() - ms);
  const recent = await readSendTimes(tx, { loanId: loan.id }, ago(Math.max(sendWindowMs, resendAfterMs)));
  const [latest] = recent;
  if (latest !== undefined && latest > ago(resendAfterMs)) {
    throw tooEarly("otp_resend_too_early", now, latest.getTime() + resendAfterMs);
  }
  const oldestOfWindow = recent[mostSendsPerWindow - 1];
  if (oldestOfWindow !== undefined) throw tooEarly("otp_limit_reached", now, oldestOfWindow.getTime() + sendWindowMs);
  const today = lagosDate(now);
  // Strictly after the last moment of yesterday.
  const midnight = new Date(startOfLagosDay(today).getTime() - 1);
  const sentToday = await readSendTimes(tx, { customerId: loan.customerId }, midnight);
  if (sentToday.length < mostSendsPerDay) return;
  throw tooEarly("otp_limit_reached", now, startOfLagosDay(today.add({ days: 1 })).getTime());
}

function tooEarly(code: "otp_resend_too_early" | "otp_limit_reached", now: Date, untilMs: number) {
  const seconds = Math.max(1, Math.ceil((untilMs - now.getTime()) / 1_000));
  const data = { retry_after_seconds: seconds, resend_after: new Date(untilMs).toISOString() };
  return consentProblem(code, { headers: { "retry-after": String(seconds) }, data });
}
