import type { Tx } from "../../platform/database/database.ts";
import { requireCustomer } from "../customers/read-customer.ts";
import { changeTenor } from "../loans/change-tenor.ts";
import type { LendingDependencies } from "../loans/loan-moved.ts";
import type { MerchantAccount } from "../loans/merchant-account.ts";
import { requireCheckoutLoan } from "../loans/read-checkout-loan.ts";
import { requestLoan } from "../loans/request-loan.ts";
import { requireOpenSession } from "./read-session.ts";

export interface ChosenTerms {
  readonly sessionId: string;
  /** Months. */
  readonly tenor: number;
  /** The holder of the merchant's account; null when the loan exists and the bank was not asked. */
  readonly account: MerchantAccount | null;
}

/** Makes the session's loan, or gives it another tenor as long as nobody has consented to it. */
export async function chooseTerms(
  tx: Tx,
  deps: LendingDependencies,
  { sessionId, tenor, account }: ChosenTerms,
): Promise<void> {
  const { customerId } = await requireOpenSession(tx, sessionId);
  // Locks: the customer, so that of two choices at once the later one finds the earlier one's loan.
  const customer = await requireCustomer(tx, customerId, { lock: true });
  const { amount, loanId } = await requireOpenSession(tx, sessionId);
  if (loanId !== null) {
    const loan = await requireCheckoutLoan(tx, loanId, { lock: true });
    await changeTenor(tx, deps.sealer, { customer, loan }, tenor);
    return;
  }
  if (account === null) throw new Error(`session ${sessionId} has lost its loan`);
  await requestLoan(tx, deps, { customer, amount, tenor, account, sessionId });
}
