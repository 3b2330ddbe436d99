/** All that the hosted checkout shows at the moment, read in one transaction. */

import type { LoanView } from "../../lending/account/read-loan-account.ts";
import { dueParts } from "../../lending/position/instalment.ts";
import { annualRateOf } from "../../lending/pricing/annual-rate.ts";
import { ratePercent } from "../../lending/pricing/product.ts";
import { checkoutCode, findProduct } from "../../lending/pricing/products.ts";
import { amountDue, type PlannedInstalment, type Quote, quote } from "../../lending/pricing/quote.ts";
import { readProfile } from "../../merchants/profile.ts";
import { nairaNumber } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import { maskPhone } from "../../platform/phone-number.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import { lagosDate } from "../../platform/time/lagos-date.ts";
import { findDefaultCard } from "../cards/card-store.ts";
import { showCard } from "../cards/show-card.ts";
import { discloseTo, showAgreement } from "../consent/disclosure.ts";
import { readConsentRequest } from "../consent/request-consent.ts";
import { showCode } from "../consent/show-code.ts";
import { hashTerms, readTerms } from "../consent/terms.ts";
import { hasCardForLoans } from "../customers/customer.ts";
import { requireCustomer } from "../customers/read-customer.ts";
import { type CheckoutLoanStatus, isPending } from "../loans/checkout-loan.ts";
import { type Lending, lenderFor } from "../loans/lender.ts";
import { readCheckoutLoanView, requireCheckoutLoan } from "../loans/read-checkout-loan.ts";
import { withOutcome } from "../pages/return-address.ts";
import type { CheckoutSession, SessionStatus } from "./checkout-session.ts";
import type { CheckoutView, Offer, steps } from "./hosted-schemas.ts";
import { judgeOrder } from "./judge-order.ts";
import { presentItems } from "./present-session.ts";
import { isOverdue, requireSession } from "./read-session.ts";

export interface ViewDependencies extends Lending {
  readonly sealer: Sealer;
}

export async function readCheckoutView(tx: Tx, deps: ViewDependencies, id: string): Promise<CheckoutView> {
  const session = await requireSession(tx, id);
  const customer = await requireCustomer(tx, session.customerId);
  const loan = session.loanId === null ? null : await requireCheckoutLoan(tx, session.loanId);
  const { kind } = tx.environment;
  const now = tx.environment.clock.now();
  const status = shownStatus(session, loan?.status ?? null, now);
  const judged = await judgeOrder(tx, deps.sealer, customer, session);
  // A visitor has a link; only the right code says that this is the customer.
  const isProved = loan?.consentStatus === "consented";
  const step = stepOf(status, loan?.status ?? null, {
    eligible: judged.eligible,
    hasCard: hasCardForLoans(customer),
  });
  const { displayName: merchantName, logoPath } = await readProfile(tx);
  const view = loan === null ? null : await readCheckoutLoanView(tx, loan);
  const product = view?.product ?? (await findProduct(tx, checkoutCode));
  const terms = step === "consent" && view !== null ? await readTerms(tx, deps, view) : null;
  return {
    id: session.id,
    status,
    step,
    environment: kind,
    merchantName,
    merchantLogo: logoPath,
    orderReference: session.orderReference,
    amount: nairaNumber(session.amount),
    items: presentItems(session.items),
    currency: "NGN",
    customer: isProved ? { firstName: customer.firstName, phone: maskPhone(customer.phone) } : null,
    eligibility: {
      eligible: judged.eligible,
      reasons: [...judged.reasons],
      minAmount: nairaNumber(judged.minAmount),
      maxAmount: nairaNumber(judged.maxAmount),
    },
    offers: canChoose(step) ? await readOffers(tx, session, judged.tenors) : [],
    loan: loan === null || view === null ? null : { id: loan.id, status: loan.status, ...showPlan(view) },
    disclosure: discloseTo(merchantName, lenderFor(deps, kind), product, kind),
    ...(terms === null || loan === null
      ? { agreement: null, consent: null }
      : { agreement: showAgreement(terms), consent: showCode(await readConsentRequest(tx, loan, hashTerms(terms))) }),
    card: isProved ? showCard(await findDefaultCard(tx, customer.id)) : null,
    returnUrl: returnUrlOf(session, status),
    expiresAt: session.expiresAt.toISOString(),
    now: now.toISOString(),
  };
}

/** Until the customer has consented the months can be changed. */
function canChoose(step: Step): boolean {
  return step === "offer" || step === "consent";
}

async function readOffers(tx: Tx, { amount }: CheckoutSession, tenors: readonly number[]): Promise<Offer[]> {
  const product = await findProduct(tx, checkoutCode);
  const today = lagosDate(tx.environment.clock.now());
  return tenors.map((tenor) => showOffer(quote(product, { amount, tenor, tenorType: "monthly" }, today)));
}

/** Where a customer stands, decided by what is stored and by nothing that the browser says. */
type Step = (typeof steps)[number];

/** Time may have ended a session a moment before the task that writes it down. A granted loan lets it wait. */
export function shownStatus(session: CheckoutSession, loan: CheckoutLoanStatus | null, now: Date): SessionStatus {
  const waitsForMoney = loan !== null && !isPending(loan);
  return isOverdue(session, now) && !waitsForMoney ? "expired" : session.status;
}

/** A loan that has its card and still waits, waits for us. */
export function stepOf(
  status: SessionStatus,
  loan: CheckoutLoanStatus | null,
  { eligible, hasCard }: { readonly eligible: boolean; readonly hasCard: boolean },
): Step {
  if (status !== "open") return status;
  if (loan === null) return eligible ? "offer" : "not_eligible";
  if (loan === "pending_consent") return "consent";
  return loan === "pending_card" && !hasCard ? "card" : "processing";
}

/** Where the page sends the customer back to: with an order that is paid, or without one. */
export function returnUrlOf({ id, successUrl, cancelUrl }: CheckoutSession, status: SessionStatus): string {
  return withOutcome(status === "completed" ? successUrl : cancelUrl, { session_id: id, status });
}

/** Plans as the hosted page draws them: an offer before the customer has chosen, the loan's own plan afterwards. */
export function showOffer(priced: Quote): Offer {
  return {
    tenor: priced.tenor,
    interestRate: ratePercent(priced.rate),
    installmentAmount: nairaNumber(priced.instalmentAmount),
    totalInterest: nairaNumber(priced.totalInterest),
    annualRate: ratePercent(annualRateOf(priced)),
    totalFees: nairaNumber(priced.totalFees),
    totalRepayment: nairaNumber(priced.totalRepayment),
    schedule: priced.instalments.map(showInstalment),
  };
}

/** Before approval the dates are those of a loan that is paid out today. */
function showPlan({ account, rate, figures, instalmentAmount, projected }: LoanView): Offer {
  const instalments = projected.map((each) => ({ ...each, ...dueParts(each) }));
  return {
    tenor: account.tenor,
    interestRate: ratePercent(rate),
    installmentAmount: nairaNumber(instalmentAmount),
    totalInterest: nairaNumber(figures.totalInterest),
    annualRate: ratePercent(annualRateOf({ ...account, instalments })),
    totalFees: nairaNumber(figures.totalFees),
    totalRepayment: nairaNumber(figures.totalRepayment),
    schedule: instalments.map(showInstalment),
  };
}

function showInstalment(instalment: PlannedInstalment): Offer["schedule"][number] {
  return {
    number: instalment.number,
    dueDate: instalment.dueDate.toString(),
    amountDue: nairaNumber(amountDue(instalment)),
    principal: nairaNumber(instalment.principal),
    interest: nairaNumber(instalment.interest),
    fees: nairaNumber(instalment.fees),
  };
}
