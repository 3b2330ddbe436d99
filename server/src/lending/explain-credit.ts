/** The derivation of a loan's credit: of each repayment and refunded order, what the loan did not take. */
import type { Kobo } from "../money/kobo.ts";
import type { Derivation, Known } from "./explanation.ts";
import { sumParts } from "./instalment.ts";
import type { Loan } from "./loan.ts";
import { type Allocation, takenBy } from "./position.ts";

export function explainCredit(derivation: Derivation, { history, position }: Loan): Known {
  const repayments = history.repayments.flatMap(({ id, number, reference, channel, amount }) => {
    const words = `Repayment ${number}, reference ${reference}, by ${channel}.`;
    const allocation = position.allocations.get(id);
    if (allocation === undefined) return [];
    const taken = { amount: sumParts(allocation), words: "What the loan took of it." };
    return beyond(derivation, { name: `repayment[${number}]`, words, amount, taken }, allocation);
  });
  const refunds = history.reductions.flatMap(({ id, reference, amount }, index) => {
    const words = `Refund ${index + 1}, reference ${reference}, of the order.`;
    const effect = position.effects.get(id);
    if (effect === undefined) return [];
    const taken = { amount: takenBy(effect), words: takenOrFreed };
    return beyond(derivation, { name: `refund[${index + 1}]`, words, amount, taken }, effect);
  });
  const words = "What was paid beyond the loan and has not been given back.";
  return derivation.sum("credit", words, [...repayments, ...refunds]);
}

const takenOrFreed = "What the loan took of it, less what was prepaid and the smaller plan does not take.";

interface Money {
  readonly name: string;
  readonly words: string;
  readonly amount: Kobo;
  readonly taken: { readonly amount: Kobo; readonly words: string };
}

/** Money of which nothing is credit has no steps, nor has a reversed repayment. */
function beyond(derivation: Derivation, money: Money, allocation: Allocation): Known[] {
  if (allocation.credit === 0n) return [];
  const { name } = money;
  const whole = derivation.given(name, money.words, money.amount);
  const others = [
    ["taken", money.taken.words, money.taken.amount],
    ["refunded", "Given back to the borrower.", allocation.refunded],
    ["suspense", "Came after the loan was written off.", allocation.suspense],
  ] as const;
  const less = others
    .filter(([, , amount]) => amount !== 0n)
    .map(([part, words, amount]) => derivation.given(`${name}.${part}`, words, amount));
  return [derivation.difference(`${name}.credit`, "What of it is credit.", whole, less)];
}
