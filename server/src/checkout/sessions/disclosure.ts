/** What a page must say about a loan before the customer agrees: who lends, what lateness costs, where to complain. */

import type { LoanProduct } from "../../lending/product.ts";
import type { EnvironmentKind } from "../../platform/database/database.ts";
import { type ConsentTerms, hashTerms } from "../consent/terms.ts";
import { complaintsText, conditionsText, lateFeeText, textVersion } from "../consent/terms-text.ts";
import type { Lender } from "../lender.ts";
import type { CheckoutView, Disclosure } from "./hosted-schemas.ts";

export function discloseTo(merchant: string, lender: Lender, product: LoanProduct, kind: EnvironmentKind): Disclosure {
  return {
    lender: { name: lender.name, registration: lender.registration, isSample: kind === "SANDBOX" },
    lateFee: lateFeeText(product),
    conditions: conditionsText(merchant),
    complaints: complaintsText(lender),
  };
}

export function showAgreement(terms: ConsentTerms): CheckoutView["agreement"] {
  return {
    version: terms.version ?? textVersion,
    statement: terms.statement,
    termsHash: hashTerms(terms).toString("hex"),
  };
}
