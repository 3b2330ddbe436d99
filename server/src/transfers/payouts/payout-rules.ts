/**
 * Rules of a payout that take no question to anybody. Each has a code of its own; what breaks several is told of all of
 * them at once, under the code of the first.
 */

import { type Kobo, kobo, nairaFromNumber } from "../../money/kobo.ts";
import type { EnvironmentKind } from "../../platform/database/database.ts";
import type { FieldError } from "../../platform/problem.ts";
import { type Bank, findBank } from "../../rails/bank-directory.ts";
import { type NubanCheck, passesNuban } from "../../rails/nuban.ts";
import { transferProblem } from "./errors.ts";

const smallestTransfer = kobo(100_00n);
const largestTransfer = kobo(10_000_000_00n);

/** Every refusal of these rules: a route that applies them declares them. */
export const payoutRuleProblems = ["unknown_bank", "amount_below_minimum", "amount_above_maximum"] as const;

interface Breach extends FieldError {
  readonly code: (typeof payoutRuleProblems)[number];
}

interface Asked {
  readonly amount?: Kobo | undefined;
  readonly bankCode?: string | undefined;
}

function breachesOf({ amount, bankCode }: Asked, kind: EnvironmentKind): Breach[] {
  const breaches: Breach[] = [];
  if (amount !== undefined && amount < smallestTransfer) {
    breaches.push({ code: "amount_below_minimum", field: "amount", message: "must be at least 100.00" });
  }
  if (amount !== undefined && amount > largestTransfer) {
    breaches.push({ code: "amount_above_maximum", field: "amount", message: "must be at most 10000000.00" });
  }
  if (bankCode !== undefined && findBank(bankCode, kind) === undefined) {
    breaches.push({ code: "unknown_bank", ...unknownBank("bankCode") });
  }
  return breaches;
}

function unknownBank(field: string): FieldError {
  return { field, message: "is not a bank's code; GET /transfers/banks lists them all" };
}

/** Throws what the rules say against it. */
export function checkPayout(asked: Asked, kind: EnvironmentKind): void {
  const breaches = breachesOf(asked, kind);
  const [first] = breaches;
  if (first === undefined) return;
  throw transferProblem(first.code, { errors: breaches.map(({ field, message }) => ({ field, message })) });
}

/** The bank behind a code, or the refusal that names the field. */
export function requireBank(code: string, kind: EnvironmentKind, field = "bankCode"): Bank {
  const bank = findBank(code, kind);
  if (bank === undefined) throw transferProblem("unknown_bank", { errors: [unknownBank(field)] });
  return bank;
}

type Fields = Readonly<Record<string, unknown>>;

/** For a request that its schema has refused already. */
export function payoutRules({ amount, bankCode }: Fields, kind: EnvironmentKind): FieldError[] {
  const asked = {
    amount: typeof amount === "number" ? nairaFromNumber(amount) : undefined,
    bankCode: typeof bankCode === "string" ? bankCode : undefined,
  };
  return breachesOf(asked, kind).map(({ field, message }) => ({ field, message }));
}

/** The same for the account that a checkout pays to. */
export function bankCodeRule({ bank_code: code }: Fields, kind: EnvironmentKind): FieldError[] {
  return typeof code === "string" && findBank(code, kind) === undefined ? [unknownBank("bank_code")] : [];
}

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
