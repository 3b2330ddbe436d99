/** What a page must say about a loan before the customer agrees: who lends, what lateness costs, where to complain. */

import type { LoanProduct } from "../../lending/pricing/product.ts";
import type { EnvironmentKind } from "../../platform/database/database.ts";
import { type Lender, type Lending, lenderFor } from "../loans/lender.ts";
import type { Agreement, Disclosure } from "../pages/schemas.ts";
import { type ConsentTerms, hashTerms } from "./terms.ts";
import { complaintsText, conditionsText, lateFeeText, textVersion } from "./terms-text.ts";

export function discloseTo(merchant: string, lender: Lender, product: LoanProduct, kind: EnvironmentKind): Disclosure {
  return {
    lender: { name: lender.name, registration: lender.registration, isSample: kind === "SANDBOX" },
    lateFee: lateFeeText(product),
    conditions: conditionsText(merchant),
    complaints: complaintsText(lender),
  };
}

/**
 * What was said and agreed to stays, for a loan that is out. Only the way to complain is today's, as long as the same
 * lender is there to be reached.
 */
export function discloseAgreed(
  lending: Lending,
  agreed: ConsentTerms | undefined,
  { merchant, product, kind }: { merchant: string; product: LoanProduct; kind: EnvironmentKind },
): Disclosure {
  const today = kind === "SANDBOX" || lending.lender !== undefined ? lenderFor(lending, kind) : undefined;
  const sameLender = agreed === undefined || agreed.lender === today?.name;
  return {
    lender: {
      name: agreed?.lender ?? today?.name ?? "",
      registration: agreed?.lender_registration ?? today?.registration ?? "",
      isSample: kind === "SANDBOX",
    },
    lateFee: agreed?.late_fee ?? lateFeeText(product),
    conditions: [...(agreed?.conditions ?? conditionsText(merchant))],
    complaints: today !== undefined && sameLender ? complaintsText(today) : (agreed?.complaints ?? ""),
  };
}

export function showAgreement(terms: ConsentTerms): Agreement {
  return {
    version: terms.version ?? textVersion,
    statement: terms.statement,
    termsHash: hashTerms(terms).toString("hex"),
  };
}
