/**
 * Who owns loans: loan requests and the checkout. Lending and transfers know neither; what happens to a loan or to its
 * payment is told to both here, and each takes what is its own.
 */
import { loanMoved } from "../checkout/follow-loans.ts";
import { announceCheckoutLoan } from "../checkout/loans/announce-checkout-loan.ts";
import { takeCheckoutDisbursement } from "../checkout/loans/disburse-checkout-loan.ts";
import type { Announce } from "../lending/loan-account.ts";
import { announceLoan } from "../loans/announce-loan.ts";
import { takeLoanDisbursement } from "../loans/disburse-loan.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import type { DisbursementSettled, DisbursementTaken } from "../transfers/settlement.ts";

export interface LoanOwners {
  readonly announce: Announce;
  readonly disbursementSettled: DisbursementSettled;
}

export function loanOwners(sealer: Sealer): LoanOwners {
  const listeners: readonly Announce[] = [announceLoan(sealer), announceCheckoutLoan({ loanMoved })];
  const takers: readonly DisbursementTaken[] = [takeLoanDisbursement(sealer), takeCheckoutDisbursement({ loanMoved })];
  return {
    announce: async (tx, changes) => {
      for (const announce of listeners) await announce(tx, changes);
    },
    disbursementSettled: async (tx, transfer) => {
      for (const take of takers) if (await take(tx, transfer)) return;
      throw new Error(`disbursement ${transfer.id} pays no loan out`);
    },
  };
}
