import { type Kobo, kobo } from "../money/kobo.ts";
import { transferProblem } from "./errors.ts";

export const smallestTransfer = kobo(100_00n);
export const largestTransfer = kobo(10_000_000_00n);

export function checkAmount(amount: Kobo): void {
  if (amount < smallestTransfer) throw transferProblem("amount_below_minimum");
  if (amount > largestTransfer) throw transferProblem("amount_above_maximum");
}
