/** What a customer can choose to pay. Amounts come from the server or from the keyboard; nothing is calculated here. */
import { formatNaira, plainAmount } from "../shared/naira.ts";
import type { PlanView } from "./plan-view.ts";

export interface AmountChoice {
  readonly name: string;
  readonly text: string;
  /** Null: to be typed in. */
  readonly amount: number | null;
}

export function choicesOf({ next, due, settlement }: PlanView): AmountChoice[] {
  const choices: AmountChoice[] = [];
  if (due > 0) choices.push({ name: "due", text: "What is due", amount: due });
  else if (next !== null && next.amount !== settlement) {
    choices.push({ name: "next", text: "Next payment", amount: next.amount });
  }
  if (settlement !== due) choices.push({ name: "all", text: "Everything", amount: settlement });
  return [...choices, { name: "other", text: "Another amount", amount: null }];
}

/** Naira as people type them: 5000, 5,000 or ₦5,000.50. */
export function readAmount(typed: string, balance: number): number | { readonly complaint: string } {
  const plain = plainAmount(typed);
  if (plain === "") return { complaint: "Type how much you want to pay." };
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(plain)) return { complaint: "Type an amount such as 5000 or 5,000.50." };
  const amount = Number(plain);
  if (amount === 0) return { complaint: "Type more than zero." };
  return amount > balance ? { complaint: `That is more than the ${formatNaira(balance)} left to pay.` } : amount;
}
