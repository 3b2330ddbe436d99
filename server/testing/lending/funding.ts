/** The lender's money in a sandbox, which is filled when it opens. */
import { systemAccountId } from "../../src/ledger/account.ts";
import { readBalances } from "../../src/ledger/balance.ts";
import { post } from "../../src/ledger/post.ts";
import { lenderFundingId } from "../../src/lending/account/loan-account.ts";
import { negate } from "../../src/money/arithmetic.ts";
import { type Kobo, zeroKobo } from "../../src/money/kobo.ts";
import type { Tx } from "../../src/platform/database/database.ts";

/** Takes everything away; returns how much that was. */
export async function emptyFunding(tx: Tx): Promise<Kobo> {
  const balance = await readFunding(tx);
  await moveFunding(tx, negate(balance));
  return balance;
}

export async function readFunding(tx: Tx): Promise<Kobo> {
  const funding = lenderFundingId(tx.environment.id);
  return (await readBalances(tx, [funding])).get(funding) ?? zeroKobo;
}

export function moveFunding(tx: Tx, amount: Kobo): Promise<void> {
  const { id: environmentId, clock } = tx.environment;
  const id = clock.newId();
  return post(tx, {
    id,
    kind: "test.lender",
    resource: { type: "test", id, reference: null },
    narration: null,
    legs: [
      { accountId: lenderFundingId(environmentId), amount },
      { accountId: systemAccountId(environmentId, "outside"), amount: negate(amount) },
    ],
  });
}
