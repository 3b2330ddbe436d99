import type { Static } from "typebox";
import { ratePercent } from "../lending/product.ts";
import type { Quote } from "../lending/quote.ts";
import { presentPlanned } from "../lending/schedule-on-wire.ts";
import { nairaNumber } from "../money/kobo.ts";
import type { quoteData } from "./schedule-schemas.ts";

export function presentQuote(priced: Quote): Static<typeof quoteData> {
  return {
    amount: nairaNumber(priced.amount),
    tenure: priced.tenor,
    tenure_type: priced.tenorType,
    interest_rate: ratePercent(priced.rate),
    total_interest: nairaNumber(priced.totalInterest),
    total_repayment: nairaNumber(priced.totalRepayment),
    installment_amount: nairaNumber(priced.instalmentAmount),
    schedules: priced.instalments.map((instalment) => ({ id: null, ...presentPlanned(instalment) })),
  };
}
