import { zeroKobo } from "../money/kobo.ts";
import type { ScheduledInstalment } from "./instalment.ts";
import type { LoanProduct, LoanTerms } from "./product.ts";
import { quote } from "./quote.ts";

/** The plan of a loan that starts on a date: what a quote says, with no late fee yet. */
export function scheduled(
  product: LoanProduct,
  terms: LoanTerms,
  startDate: Temporal.PlainDate,
): ScheduledInstalment[] {
  return quote(product, terms, startDate).instalments.map((instalment) => ({
    ...instalment,
    lateFee: zeroKobo,
    lateFeeAt: null,
  }));
}
