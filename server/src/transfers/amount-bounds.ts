import { type Kobo, kobo } from "../money/kobo.ts";
import { transferProblem } from "./errors.ts";

const smallestTransfer = kobo(100_00n);
const largestTransfer = kobo(10_000_000_00n);

export function checkAmount(amount: Kobo): void {
  if (amount < smallestTransfer) throw transferProblem("amount_below_minimum");
  if (amount > largestTransfer) throw transferProblem("amount_above_maximum");
}
