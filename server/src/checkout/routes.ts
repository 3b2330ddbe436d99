/** Every endpoint of the checkout. */

import type { Database } from "../platform/database/database.ts";
import type { Route } from "../platform/http/route.ts";
import type { Logger } from "../platform/logger.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import type { NubanCheck } from "../rails/nuban.ts";
import type { CardRails, IdentityRails, MessageRails, Rails } from "../rails/registry.ts";
import { cardRoutes } from "./cards/routes.ts";
import { consentRoutes } from "./consent/routes.ts";
import { creditRoutes } from "./credit/routes.ts";
import { contactChangeRoutes } from "./customers/contact-change-routes.ts";
import { customerOperatorRoutes } from "./customers/operator-routes.ts";
import { customerRoutes } from "./customers/routes.ts";
import { loanMoved } from "./follow-loans.ts";
import type { Lending } from "./lender.ts";
import { announceCheckoutLoan } from "./loans/announce-checkout-loan.ts";
import { checkoutCreditRoutes } from "./loans/credit-routes.ts";
import { checkoutLoanOperatorRoutes } from "./loans/operator-routes.ts";
import { checkoutRepaymentRoutes } from "./loans/repayment-routes.ts";
import { checkoutLoanRoutes } from "./loans/routes.ts";
import { planPageRoutes } from "./plans/plan-page-routes.ts";
import { planRoutes } from "./plans/routes.ts";
import { cardPageRoutes } from "./sessions/card-page-routes.ts";
import { hostedRoutes } from "./sessions/hosted-routes.ts";
import { sessionRoutes } from "./sessions/routes.ts";

export interface CheckoutRouteDependencies extends Lending {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly log: Logger;
  readonly rails: Rails & CardRails & MessageRails & IdentityRails;
  /** Where browsers reach this server. */
  readonly publicUrl: string;
  readonly nubanCheck: NubanCheck;
}

export function checkoutRoutes(deps: CheckoutRouteDependencies): Route[] {
  const all = { ...deps, loanMoved, announce: announceCheckoutLoan({ loanMoved }) };
  return [
    ...customerRoutes(all),
    ...contactChangeRoutes(all),
    ...creditRoutes(all),
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
    ...customerOperatorRoutes(),
    ...checkoutLoanOperatorRoutes(all),
  ];
}
