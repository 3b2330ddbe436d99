import { readLoanAccount } from "../../lending/account/read-loan-account.ts";
import { dueParts } from "../../lending/position/instalment.ts";
import { subtract, sum } from "../../money/arithmetic.ts";
import { type Kobo, zeroKobo } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import { type CheckoutLoan, openStatuses } from "./checkout-loan.ts";

/** Principal that is still owed of a loan, by its account; all of it as long as the money is not out. */
export async function computeOwedPrincipal(
  tx: Tx,
  { status, accountId, amount }: Pick<CheckoutLoan, "status" | "accountId" | "amount">,
): Promise<Kobo> {
  // What was written off is owed no longer, and held against the person in another way.
  if (!(openStatuses as readonly string[]).includes(status)) return zeroKobo;
  const view = await readLoanAccount(tx, accountId);
  if (view === undefined) throw new Error(`loan account ${accountId} vanished`);
  if (view.account.disbursedAt === null) return amount;
  return sum(view.instalments.map((each) => subtract(dueParts(each).principal, each.paid.principal)));
}
