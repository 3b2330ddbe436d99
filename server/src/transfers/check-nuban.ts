import type { Bank } from "../rails/bank-directory.ts";
import { type NubanCheck, passesNuban } from "../rails/nuban.ts";
import { transferProblem } from "./errors.ts";

/** Refuses an account number with a wrong check digit where the operator wants that. */
export function checkNuban(check: NubanCheck, bank: Bank, accountNumber: string): void {
  if (check === "refuse" && passesNuban(bank, accountNumber) === false) throw transferProblem("account_number_invalid");
}

/** As the description of a reply declares it. */
export const nubanWarningHeader = {
  "Jara-Warning":
    "`nuban_check_digit`: the account number's check digit does not fit the bank. Trust the bank's answer.",
} as const;

/** Otherwise a header says it: the bank may know the account all the same, and its word counts more. */
export function nubanWarning(bank: Bank | undefined, accountNumber: string): Readonly<Record<string, string>> {
  if (bank === undefined || passesNuban(bank, accountNumber) !== false) return {};
  return { "jara-warning": "nuban_check_digit" };
}
