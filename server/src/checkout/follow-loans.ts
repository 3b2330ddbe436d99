/** Who in the checkout does something when a loan moves, in this order. */
import { followWithCollection } from "./cards/plan-collection.ts";
import type { LoanMoved } from "./loans/loan-moved.ts";
import { followWithPlanLink } from "./plans/follow-with-plan-link.ts";
import { followLoan } from "./sessions/follow-loan.ts";

const followers: readonly LoanMoved[] = [followLoan, followWithCollection, followWithPlanLink];

export const loanMoved: LoanMoved = async (tx, loan, from) => {
  for (const follow of followers) await follow(tx, loan, from);
};
