import { keysOf } from "../../platform/keys-of.ts";

/** The system accounts of lending. Only loans post to them. */
export const lendingAccounts = {
  loan_book: "Principal that borrowers owe (negative).",
  funds_lent:
    "The lender's money that is out with borrowers: the other side of the loan book, until losses tell them apart.",
  interest_receivable: "Interest that has fallen due and is not paid (negative).",
  loan_fees_receivable: "Fees and late fees of loans that have fallen due and are not paid (negative).",
  unearned_loan_income: "Interest and fees of loans that were paid before they fell due.",
  interest_income: "Interest earned.",
  loan_fee_income: "Fees of loans earned.",
  late_fee_income: "Late fees earned.",
  loan_credit: "What borrowers paid too much and can have back.",
  loan_suspense: "Repayments that no loan can take: somebody must decide.",
  loan_losses: "What was written off (negative).",
  merchant_receivable:
    "Repayments that merchants took in cash or on their own bank accounts and owe to the lender (negative).",
} as const;

export type LendingAccount = keyof typeof lendingAccounts;

export const lendingPurposes = keysOf(lendingAccounts);
