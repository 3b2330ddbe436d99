import { changeLoanTerms } from "../../lending/account/open-loan-account.ts";
import type { Tx } from "../../platform/database/database.ts";
import { commonProblem } from "../../platform/problem.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import type { CheckoutLoan } from "./checkout-loan.ts";
import { updateCheckoutLoan } from "./checkout-loan-store.ts";
import type { LockedLoan } from "./read-checkout-loan.ts";
import { readEligibility } from "./read-eligibility.ts";
import { refuseOtherTenor } from "./request-loan.ts";

/**
 * Another number of months, as long as nobody has consented: a code that was sent is then no longer good, because it
 * is bound to the terms. The same tenor again changes nothing. Throws invalid_state or tenor_not_supported.
 */
export async function changeTenor(
  tx: Tx,
  sealer: Sealer,
  { customer, loan }: LockedLoan,
  tenor: number,
): Promise<CheckoutLoan> {
  if (loan.status !== "pending_consent") {
    throw commonProblem("invalid_state", {
      message: `The loan is ${loan.status}; its terms can only be changed before consent.`,
      data: { status: loan.status },
    });
  }
  refuseOtherTenor(await readEligibility(tx, sealer, customer, { except: loan.id }), tenor);
  if (loan.tenor === tenor) return loan;
  const terms = { amount: loan.amount, tenor, tenorType: "monthly" } as const;
  await changeLoanTerms(tx, { accountId: loan.accountId, terms });
  return updateCheckoutLoan(tx, loan, { tenor });
}
