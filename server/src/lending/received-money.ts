/**
 * The money that a loan received and kept, in its order: repayments that stand and what merchants refunded, each less
 * what was given back of it. Credit that is given back comes from the newest money before it, because the newest money
 * is what made it: everything that came after the loan was closed, then what the closing payment had too much. So a
 * refund of credit takes exactly that much from the credit and leaves what the loan took as it was.
 */
import { add, smaller, subtract } from "../money/arithmetic.ts";
import { type Kobo, zeroKobo } from "../money/kobo.ts";
import type { CreditRefund, Reduction, Repayment } from "./loan-account.ts";

export interface ReceivedMoney {
  readonly from: "repayment" | "reduction";
  readonly id: string;
  readonly sequence: number;
  readonly at: Date;
  readonly whole: Kobo;
  /** What stayed of it. */
  readonly amount: Kobo;
}

export interface MoneyHistory {
  readonly repayments: readonly Repayment[];
  readonly reductions: readonly Reduction[];
  readonly refunds: readonly CreditRefund[];
}

/** `unborne` is what was refunded and no money bears: more than nothing is a history that cannot be. */
export function receivedMoney(history: MoneyHistory): { money: readonly ReceivedMoney[]; unborne: Kobo } {
  let unborne = zeroKobo;
  const money = inOrder(history).map((item) => ({ ...item, amount: item.whole }));
  for (const refund of history.refunds) {
    let left = refund.amount;
    for (const item of money.filter(({ sequence }) => sequence < refund.sequence).reverse()) {
      const taken = smaller(item.amount, left);
      item.amount = subtract(item.amount, taken);
      left = subtract(left, taken);
    }
    unborne = add(unborne, left);
  }
  return { money, unborne };
}

function inOrder({ repayments, reductions }: MoneyHistory): Omit<ReceivedMoney, "amount">[] {
  const standing = repayments.filter(({ reversedAt }) => reversedAt === null);
  return [
    ...standing.map((repayment) => ({ from: "repayment" as const, ...commonOf(repayment) })),
    ...reductions.map((reduction) => ({ from: "reduction" as const, ...commonOf(reduction) })),
  ].sort((one, other) => one.sequence - other.sequence);
}

function commonOf({ id, sequence, recordedAt, amount }: Repayment | Reduction) {
  return { id, sequence, at: recordedAt, whole: amount };
}
