/** All that the hosted checkout shows at the moment, read in one transaction. */

import { checkoutCode, findProduct } from "../../lending/products.ts";
import { quote } from "../../lending/quote.ts";
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
import { type Lending, lenderFor } from "../loans/lender.ts";
import { readCheckoutLoanView, requireCheckoutLoan } from "../loans/read-checkout-loan.ts";
import type { CheckoutSession } from "./checkout-session.ts";
import { returnUrlOf, type Step, shownStatus, stepOf } from "./checkout-step.ts";
import type { CheckoutView, Offer } from "./hosted-schemas.ts";
import { judgeOrder } from "./judge-order.ts";
import { presentItems } from "./present-session.ts";
import { requireSession } from "./read-session.ts";
import { showOffer, showPlan } from "./show-plan.ts";

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
