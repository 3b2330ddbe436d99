import type { Static } from "typebox";
import type { LoanTerms } from "../lending/product.ts";
import { ratePercent } from "../lending/product.ts";
import type { Quote } from "../lending/quote.ts";
import { presentPlanned } from "../lending/schedule-on-wire.ts";
import { nairaNumber, parseNaira } from "../money/kobo.ts";
import type { quoteBody, quoteData } from "./schedule-schemas.ts";

/** The terms of a body that has passed its schema. */
export function readQuoteTerms({ amount, tenure, tenure_type }: Static<typeof quoteBody>): LoanTerms {
  const naira = parseNaira(String(amount));
  if (naira === undefined) throw new Error("an amount that passed its schema cannot be read");
  return { amount: naira, tenure: Number(tenure), tenureType: tenure_type };
}

export function presentQuote(priced: Quote): Static<typeof quoteData> {
  return {
    amount: nairaNumber(priced.amount),
    tenure: priced.tenure,
    tenure_type: priced.tenureType,
    interest_rate: ratePercent(priced.rate),
    total_interest: nairaNumber(priced.totalInterest),
    total_repayment: nairaNumber(priced.totalRepayment),
    installment_amount: nairaNumber(priced.instalmentAmount),
    schedules: priced.instalments.map((instalment) => ({ id: null, ...presentPlanned(instalment) })),
  };
}
