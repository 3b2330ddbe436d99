/**
 * An oracle for `paid_by_borrower`, which adds up rows: what the borrower's card has paid, payment by payment, that the
 * loan took and that has not gone back. Any other way is debited to a wallet of the merchant, whatever it is called,
 * and proves nothing about the borrower.
 */

import { findLoan, type Loan } from "../../src/lending/account/loan.ts";
import { sumParts } from "../../src/lending/position/instalment.ts";
import type { MoneyHistory } from "../../src/lending/position/received-money.ts";
import type { Repayment } from "../../src/lending/position/repayment.ts";
import { passedBy, sameWay, wayOf } from "../../src/lending/position/ways.ts";
import { smaller, subtract, sum } from "../../src/money/arithmetic.ts";
import { type Kobo, zeroKobo } from "../../src/money/kobo.ts";
import type { Tx } from "../../src/platform/database/database.ts";

export interface RealPayment {
  readonly repaymentId: string;
  /** More than nothing. */
  readonly amount: Kobo;
  readonly at: Date;
}

/** By loan account, in the order of payment; an account without such a payment has an empty list. */
export async function readPaidForReal(
  tx: Tx,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, readonly RealPayment[]>> {
  const paid = new Map<string, readonly RealPayment[]>();
  for (const id of accountIds) {
    const loan = await findLoan(tx, id);
    if (loan !== undefined) paid.set(id, paidForReal(loan));
  }
  return paid;
}

export function paidForReal({ history, position }: Pick<Loan, "history" | "position">): RealPayment[] {
  // What refunded orders turned into credit is the borrower's again, though it has not gone back yet.
  let credit = sum([...position.effects.values()].map((effect) => effect.credit));
  const newestFirst = history.repayments.toReversed().flatMap((repayment) => {
    const { id: repaymentId, channel, recordedAt: at } = repayment;
    const allocation = position.allocations.get(repaymentId);
    if (allocation === undefined || channel !== "card") return [];
    const kept = smaller(sumParts(allocation), keptOf(history, repayment));
    const owedBack = smaller(kept, credit);
    credit = subtract(credit, owedBack);
    return kept > owedBack ? [{ repaymentId, amount: subtract(kept, owedBack), at }] : [];
  });
  return newestFirst.reverse();
}

/** Refunds by its way are borne by the newest money that came by it. */
function keptOf(history: MoneyHistory, repayment: Repayment): Kobo {
  const way = wayOf(repayment);
  const newer = history.repayments.filter(
    (other) => other.reversedAt === null && other.sequence > repayment.sequence && sameWay(wayOf(other), way),
  );
  const unborne = subtract(passedBy(history, [], way).went, sum(newer.map(({ amount }) => amount)));
  const borne = unborne > 0n ? smaller(unborne, repayment.amount) : zeroKobo;
  return subtract(repayment.amount, borne);
}
