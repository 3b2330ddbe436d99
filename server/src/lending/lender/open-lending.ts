/** What an environment needs to lend: its products and the lender's funding account. */
import { systemAccountId } from "../../ledger/account.ts";
import { openFloorAccounts } from "../../ledger/open-accounts.ts";
import { post } from "../../ledger/post.ts";
import { countEntries } from "../../ledger/statement.ts";
import { negate } from "../../money/arithmetic.ts";
import { kobo } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import { lenderFundingId } from "../account/loan-account.ts";
import { checkoutProduct, publishProduct, standardProduct } from "../pricing/products.ts";

/** A billion naira: more than any sandbox lends out. */
const sandboxFunds = kobo(100_000_000_000n);

/**
 * Repeating it changes nothing. A sandbox's lender starts with money; live, the lender's own money has to arrive first,
 * and until it has no loan can be paid out.
 */
export async function openLending(tx: Tx): Promise<void> {
  const funding = lenderFundingId(tx.environment.id);
  await publishProduct(tx, 1, standardProduct);
  await publishProduct(tx, 1, checkoutProduct);
  await openFloorAccounts(tx, "lender_funding", [funding]);
  if (tx.environment.kind !== "SANDBOX" || (await countEntries(tx, funding)) > 0n) return;
  const id = tx.environment.clock.newId();
  await post(tx, {
    id,
    kind: "lender.funded",
    resource: { type: "lender_funding", id, reference: null },
    narration: "Money to lend in a sandbox",
    legs: [
      { accountId: systemAccountId(tx.environment.id, "outside"), amount: negate(sandboxFunds) },
      { accountId: funding, amount: sandboxFunds },
    ],
  });
}
