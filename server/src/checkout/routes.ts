/** Every endpoint of the checkout. */

import type { Database } from "../platform/database/database.ts";
import type { Route } from "../platform/http/route.ts";
import type { Logger } from "../platform/logger.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import type { BankRails, CardRails, IdentityRails, MessageRails } from "../rails/desk.ts";
import type { NubanCheck } from "../rails/nuban.ts";
import type { LimitPeople } from "../wallets/limit-people.ts";
import { cardPageRoutes } from "./card-page/routes.ts";
import { cardRoutes } from "./cards/routes.ts";
import { consentRoutes } from "./consent/routes.ts";
import { creditPolicyRoutes } from "./credit/routes.ts";
import { customerOperatorRoutes, customerRoutes } from "./customers/routes.ts";
import { loanMoved } from "./follow-loans.ts";
import { announceCheckoutLoan } from "./loans/announce-checkout-loan.ts";
import { eligibilityRoutes } from "./loans/eligibility-routes.ts";
import type { Lending } from "./loans/lender.ts";
import { meetRequirementsOf } from "./loans/meet-requirements.ts";
import { checkoutLoanOperatorRoutes } from "./loans/operator-routes.ts";
import { checkoutLoanRoutes } from "./loans/routes.ts";
import { onboardingRoutes } from "./onboarding/routes.ts";
import { planPageRoutes } from "./plans/plan-page-routes.ts";
import { planRoutes } from "./plans/routes.ts";
import { checkoutCreditRoutes } from "./repayments/credit-routes.ts";
import { checkoutRepaymentRoutes, checkoutReversalRoutes } from "./repayments/repayment-routes.ts";
import { hostedRoutes } from "./sessions/hosted-routes.ts";
import { sessionRoutes } from "./sessions/routes.ts";

export interface CheckoutRouteDependencies extends Lending {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly log: Logger;
  readonly rails: BankRails & CardRails & MessageRails & IdentityRails;
  /** Where browsers reach this server. */
  readonly publicUrl: string;
  readonly nubanCheck: NubanCheck;
  readonly limitPeople: LimitPeople;
}

export function checkoutRoutes(deps: CheckoutRouteDependencies): Route[] {
  const all = { ...deps, loanMoved, announce: announceCheckoutLoan({ loanMoved }) };
  return [
    ...onboardingRoutes(all),
    ...customerRoutes(),
    ...eligibilityRoutes(all),
    ...checkoutLoanRoutes(all),
    ...consentRoutes(all),
    ...cardRoutes(all),
    ...checkoutRepaymentRoutes(all),
    ...checkoutCreditRoutes(all),
    ...sessionRoutes(all),
    ...hostedRoutes(all),
    ...cardPageRoutes(all),
    ...planRoutes(all),
    ...planPageRoutes(all),
    ...creditPolicyRoutes(),
    ...customerOperatorRoutes({ identityDecided: (tx, customer) => meetRequirementsOf(tx, all, customer) }),
    ...checkoutLoanOperatorRoutes(all),
    ...checkoutReversalRoutes(all),
  ];
}
