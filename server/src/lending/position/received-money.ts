/**
 * The money that a loan received and kept, in its order: repayments that stand and what merchants refunded, each less
 * what was given back of it. Credit that is given back comes from the newest money before it, because the newest money
 * is what made it: everything that came after the loan was closed, then what the closing payment had too much. So a
 * refund of credit takes exactly that much from the credit and leaves what the loan took as it was.
 *
 * That holds until a refunded order has set prepaid money free (`freePrepaid`). Its credit may be more than its own
 * money, and to leave out what was given back would shrink the plan by less. So from then on refunds of credit are
 * steps of their own (`later`), which take from the credit that is there.
 */
import { add, smaller, subtract } from "../../money/arithmetic.ts";
import { type Kobo, zeroKobo } from "../../money/kobo.ts";
import type { CreditRefund, Reduction, Repayment } from "./repayment.ts";

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

export interface Received {
  readonly money: readonly ReceivedMoney[];
  /** Refunds of credit that no money bears beforehand. */
  readonly later: readonly CreditRefund[];
  /** What was refunded and no money bears: more than nothing is a history that cannot be. */
  readonly unborne: Kobo;
}

export function receivedMoney(history: MoneyHistory): Received {
  let unborne = zeroKobo;
  const money = inOrder(history).map((item) => ({ ...item, amount: item.whole }));
  const reduced = money.find(({ from }) => from === "reduction");
  const isLater = ({ sequence }: CreditRefund): boolean => reduced !== undefined && sequence > reduced.sequence;
  for (const refund of history.refunds.filter((each) => !isLater(each))) {
    let left = refund.amount;
    for (const item of money.filter(({ sequence }) => sequence < refund.sequence).reverse()) {
      const taken = smaller(item.amount, left);
      item.amount = subtract(item.amount, taken);
      left = subtract(left, taken);
    }
    unborne = add(unborne, left);
  }
  return { money, later: history.refunds.filter(isLater), unborne };
}

function inOrder({ repayments, reductions }: MoneyHistory): Omit<ReceivedMoney, "amount">[] {
  const standing = repayments.filter(({ reversedAt }) => reversedAt === null);
  return [
    ...standing.map((repayment) => ({ from: "repayment", ...commonOf(repayment) }) as const),
    ...reductions.map((reduction) => ({ from: "reduction", ...commonOf(reduction) }) as const),
  ].sort((one, other) => one.sequence - other.sequence);
}

function commonOf({ id, sequence, recordedAt, amount }: Pick<Repayment, "id" | "sequence" | "recordedAt" | "amount">) {
  return { id, sequence, at: recordedAt, whole: amount };
}
