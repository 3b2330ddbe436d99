/**
 * What a borrower has really paid: money of the borrower's card that was taken by the loan and has not gone back. Any
 * other way is debited to a wallet of the merchant, whatever it is called, and proves nothing about the borrower. A
 * limit that rises because loans were repaid rises by this, not by the loan's state.
 */
import { smaller, subtract, sum } from "../../money/arithmetic.ts";
import { type Kobo, zeroKobo } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import { findLoan, type Loan } from "../account/loan.ts";
import { sumParts } from "../position/instalment.ts";
import type { MoneyHistory } from "../position/received-money.ts";
import type { Repayment } from "../position/repayment.ts";
import { passedBy, sameWay, wayOf } from "../position/ways.ts";

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
