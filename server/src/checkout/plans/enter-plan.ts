/** The door of a plan's page: a code to the phone on record, and the visit that the right answer begins. */
import { findMerchantName } from "../../merchants/read-merchants.ts";
import type { Tx } from "../../platform/database/database.ts";
import { httpProblem } from "../../platform/http/http-problems.ts";
import {
  type AnswerDependencies,
  type AnsweredCode,
  requireAnswered,
  takeAnswer,
  useUp,
} from "../consent/answer-code.ts";
import { type CodeSubject, type ConsentRequest, consentRequestOf } from "../consent/consent.ts";
import { findLiveCode } from "../consent/consent-store.ts";
import { consentProblem } from "../consent/errors.ts";
import { type CodeDependencies, issueCode } from "../consent/issue-code.ts";
import type { Customer } from "../customers/customer.ts";
import { requireCustomer } from "../customers/read-customer.ts";
import type { CheckoutLoan } from "../loans/checkout-loan.ts";
import { requireCheckoutLoan } from "../loans/read-checkout-loan.ts";
import { newPageToken } from "../pages/page-token.ts";
import { type PlanPage, type PlanVisit, visitLifeMs } from "./plan-page.ts";
import { findPlanPage, findVisit, insertVisit } from "./plan-page-store.ts";

function subjectOf(pageId: string): CodeSubject {
  return { kind: "plan_page", id: pageId };
}

async function requirePage(tx: Tx, id: string): Promise<PlanPage> {
  const page = await findPlanPage(tx, id);
  if (page === undefined) throw new Error(`plan page ${id} was let in and is not there`);
  return page;
}

/** Throws rail_not_configured, otp_resend_too_early or otp_limit_reached. */
export async function requestEntry(tx: Tx, deps: CodeDependencies, pageId: string): Promise<void> {
  const { customerId } = await requirePage(tx, pageId);
  // Locks: the customer, because the limits count over all pages.
  const customer = await requireCustomer(tx, customerId, { lock: true });
  const terms = { merchant: await findMerchantName(tx), opens: "plan" } as const;
  await issueCode(tx, deps, { customer, subject: subjectOf(pageId), terms });
}

/** The code that can be answered, if one was sent. */
export async function readEntryRequest(tx: Tx, pageId: string): Promise<ConsentRequest | null> {
  const code = await findLiveCode(tx, subjectOf(pageId));
  return code === undefined ? null : consentRequestOf(code);
}

/** Takes a try, whatever comes of it. Throws one of the otp_ problems unless the digits are right. */
export function answerEntry(
  deps: AnswerDependencies,
  { environmentId, pageId, otp }: { readonly environmentId: string; readonly pageId: string; readonly otp: string },
): Promise<AnsweredCode> {
  return takeAnswer(deps, {
    environmentId,
    otp,
    subject: subjectOf(pageId),
    requireWaiting: (tx) => requirePage(tx, pageId),
  });
}

/** Uses the code up. Of two right answers at once one begins a visit, and the other needs a code of its own. */
export async function beginVisit(
  tx: Tx,
  answered: AnsweredCode,
): Promise<{ readonly visit: PlanVisit; readonly token: string }> {
  const page = await requirePage(tx, answered.subject.id);
  // Locks: the customer, so that nobody gets another phone meanwhile.
  await requireCustomer(tx, page.customerId, { lock: true });
  const code = await requireAnswered(tx, answered);
  if (!(await useUp(tx, code))) throw consentProblem("otp_expired");
  const { clock } = tx.environment;
  const expiresAt = clock.after(visitLifeMs);
  const visit: PlanVisit = { id: clock.newId(), pageId: page.id, phone: code.phone, expiresAt };
  const token = newPageToken();
  await insertVisit(tx, visit, token);
  return { visit, token };
}

export interface OpenPlan {
  readonly visit: PlanVisit;
  readonly customer: Customer;
  readonly loan: CheckoutLoan;
}

/** Whose plan a visit may look after. Throws page_ended when the customer has another phone than the one asked. */
export async function requireVisit(tx: Tx, visitId: string): Promise<OpenPlan> {
  const visit = await findVisit(tx, visitId);
  if (visit === undefined) throw new Error(`plan visit ${visitId} was let in and is not there`);
  const page = await requirePage(tx, visit.pageId);
  const customer = await requireCustomer(tx, page.customerId);
  if (customer.phone !== visit.phone) throw httpProblem("page_ended");
  return { visit, customer, loan: await requireCheckoutLoan(tx, page.loanId) };
}
