/** Plans as the hosted page draws them: an offer before the customer has chosen, the loan's own plan afterwards. */
import { annualRateOf } from "../../lending/annual-rate.ts";
import { dueParts } from "../../lending/instalment.ts";
import { ratePercent } from "../../lending/product.ts";
import { amountDue, type PlannedInstalment, type Quote } from "../../lending/quote.ts";
import type { LoanView } from "../../lending/read-loan-account.ts";
import { nairaNumber } from "../../money/kobo.ts";
import type { Offer } from "./hosted-schemas.ts";

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
export function showPlan({ account, rate, figures, instalmentAmount, projected }: LoanView): Offer {
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
