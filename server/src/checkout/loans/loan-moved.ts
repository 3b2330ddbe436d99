import type { Tx } from "../../platform/database/database.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import type { CheckoutLoan, CheckoutLoanStatus } from "./checkout-loan.ts";

/**
 * How the rest of the checkout hears that a loan has moved: called in the transaction of the move, after its event.
 * `loan.status` is where it moved to. A new loan has moved from null.
 */
export type LoanMoved = (tx: Tx, loan: CheckoutLoan, from: CheckoutLoanStatus | null) => Promise<void>;

/** Sessions, collection and plans import loans, so loans cannot import them: they are handed in. */
export interface LoanFollowing {
  readonly loanMoved: LoanMoved;
}

/** A credit decision finds a person again by keyed hashes. */
export interface LendingDependencies extends LoanFollowing {
  readonly sealer: Sealer;
}
