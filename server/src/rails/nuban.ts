/**
 * The check digit of a Nigerian account number (NUBAN). The last of its ten digits follows from the bank's code and
 * the nine before it. Many numbers that are in use, and nearly all that people type into sandboxes, do not pass;
 * whether that is a remark or a refusal is the operator's choice.
 */
import type { Bank } from "./bank-directory.ts";

const codeWeights = [3, 7, 3, 3, 7, 3] as const;
const serialWeights = [3, 7, 3, 3, 7, 3, 3, 7, 3] as const;

export type NubanCheck = "refuse" | "warn";

/**
 * Whether the number passes at this bank; null where the rule does not apply. Mobile money and payment service banks
 * number accounts by phone number.
 */
export function passesNuban(bank: Bank, accountNumber: string): boolean | null {
  if (bank.type === "mobile_money" || bank.type === "payment_service" || bank.simulated === true) return null;
  const code = paddedCode(bank.code);
  if (code === null || !/^\d{10}$/.test(accountNumber)) return null;
  const sum = weigh(code, codeWeights) + weigh(accountNumber.slice(0, 9), serialWeights);
  return (10 - (sum % 10)) % 10 === Number(accountNumber.slice(9));
}

/** Six digits: three become 000 and the code, five become 9 and the code. */
function paddedCode(code: string): string | null {
  if (code.length === 3) return `000${code}`;
  return code.length === 5 ? `9${code}` : null;
}

function weigh(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, place) => sum + weight * Number(digits[place]), 0);
}
