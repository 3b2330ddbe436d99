/** The derivation of a plan: what each instalment is made of and what they come to. */

import type { Loan } from "../account/loan.ts";
import { planOrProjection } from "../account/read-loan-account.ts";
import type { InstalmentPosition } from "../position/instalment.ts";
import { rateOf, ratePercent } from "../pricing/product.ts";
import { priceOf } from "../pricing/quote.ts";
import type { Derivation, Known } from "./derivation.ts";
import { shrunkSteps } from "./explain-reductions.ts";

/** Established once, on demand, in the order in which they are asked for. */
export interface PlanExplanation {
  readonly instalments: readonly InstalmentPosition[];
  totalInterest(): Known;
  totalRepayment(): Known;
  /** Principal, interest and fees of one instalment, less what was waived or refunded. */
  partsOf(number: number): readonly Known[];
}

export function explainPlan(derivation: Derivation, loan: Loan, today: Temporal.PlainDate): PlanExplanation {
  const instalments = planOrProjection(loan, today);
  const price = priceOf(derivation, loan.product, loan.account);
  explainTerms(derivation, loan, instalments);
  const shrunk = shrunkSteps(derivation, loan, instalments);
  const totalInterest = (): Known => shrunk.totalInterest(price.totalInterest());
  return {
    instalments,
    totalInterest,
    totalRepayment: () =>
      derivation.sum("total_repayment", "Amount, interest and fees.", [
        shrunk.amount(price.amount),
        totalInterest(),
        shrunk.totalFees(price.totalFees()),
      ]),
    partsOf: (number) => {
      const instalment = instalments[number - 1];
      if (instalment === undefined) throw new Error(`there is no instalment ${number}`);
      return [
        shrunk.principalOf(instalment, price.principalOf(number)),
        shrunk.interestOf(instalment, price.interestOf(number)),
        shrunk.feesOf(instalment, price.feesOf(number)),
      ];
    },
  };
}

const periodWords = { daily: "day", weekly: "week", monthly: "month" } as const;
const methodWords = {
  flat: "on the whole amount for every period",
  reducing: "on what is still owed when a period begins",
} as const;

/** Interest is counted in periods; their days are told because months have different lengths. */
function explainTerms(
  derivation: Derivation,
  { account, product }: Loan,
  instalments: readonly InstalmentPosition[],
): void {
  const word = periodWords[account.tenorType];
  const rateWords = `Interest in percent per ${word}, ${methodWords[product.interestMethod]}.`;
  derivation.fact("interest_rate", rateWords, String(ratePercent(rateOf(product, account.tenorType))));
  derivation.fact("tenure", `How many periods of a ${word}, and as many instalments.`, String(account.tenor));
  derivation.fact("product", "The product version that the loan was made with.", `${product.name} ${product.version}`);
  const end = instalments.at(-1)?.dueDate;
  if (account.startDate === null || end === undefined) return;
  const words = `From the start to the last due date; interest counts each ${word} as one period, whatever its days.`;
  derivation.days("term_days", words, account.startDate, end);
}
