/** The refusal for lack of money, with the figures that the payer needs: what is there, what is needed, what is missing. */
import { add, negate, subtract } from "../money/arithmetic.ts";
import { type Kobo, nairaNumber, nairaString, zeroKobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import type { Problem } from "../platform/problem.ts";
import { readFloored } from "./balance.ts";
import { ledgerProblem } from "./errors.ts";

interface Movement {
  readonly legs: readonly { readonly accountId: string; readonly amount: Kobo }[];
}

/** Postings of which one at least was refused, and those of them that the transaction holds already. */
export interface Unpaid {
  readonly wanted: readonly Movement[];
  readonly posted?: readonly Movement[];
}

/** One refusal for each, by the balances as they stand in this transaction. */
export async function insufficientFunds(tx: Tx, unpaid: readonly Unpaid[]): Promise<Problem[]> {
  const needs = unpaid.map(({ wanted }) => debitsOf(wanted));
  const balances = await readFloored(tx, [...new Set(needs.flatMap((debits) => [...debits.keys()]))]);
  return unpaid.map(({ posted = [] }, place) => {
    const taken = debitsOf(posted);
    const shortages = [...(needs[place] ?? [])].flatMap(([accountId, needed]) => {
      const left = balances.get(accountId);
      if (left === undefined) return [];
      const balance = add(left, taken.get(accountId) ?? zeroKobo);
      return [{ balance, needed, short: needed > balance ? subtract(needed, balance) : zeroKobo }];
    });
    const [worst] = shortages.sort((one, other) => Number(other.short - one.short));
    return worst === undefined ? ledgerProblem("insufficient_funds") : refusal(worst);
  });
}

function refusal({ balance, needed, short }: Readonly<Record<"balance" | "needed" | "short", Kobo>>): Problem {
  return ledgerProblem("insufficient_funds", {
    message: `The account holds ${nairaString(balance)} NGN and ${nairaString(needed)} NGN is needed, fees included. Nothing was taken; fund it with ${nairaString(short)} NGN and retry.`,
    data: {
      balance: nairaNumber(balance),
      needed: nairaNumber(needed),
      short: nairaNumber(short),
      currency: "NGN",
    },
  });
}

/** What leaves each account. */
function debitsOf(postings: readonly Movement[]): ReadonlyMap<string, Kobo> {
  const debits = new Map<string, Kobo>();
  for (const { accountId, amount } of postings.flatMap(({ legs }) => legs)) {
    if (amount < 0n) debits.set(accountId, add(debits.get(accountId) ?? zeroKobo, negate(amount)));
  }
  return debits;
}
