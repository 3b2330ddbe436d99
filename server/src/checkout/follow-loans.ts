/** Who in the checkout does something when a loan moves, in this order. */
import type { LoanMoved } from "./loans/loan-moved.ts";

const followers: readonly LoanMoved[] = [];

export const loanMoved: LoanMoved = async (tx, loan, from) => {
  for (const follow of followers) await follow(tx, loan, from);
};
