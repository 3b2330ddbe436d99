/**
 * Virtual account numbers look like any Nigerian account number: nine digits of a serial number and the check digit
 * of the central bank's NUBAN scheme, so that a payer's bank accepts them.
 */
import { createHash } from "node:crypto";
import type { EnvironmentScope } from "../platform/database/database.ts";

/** No real bank has this code; NUBAN counts it into the check digit, padded to six digits. */
const bankCode = "000997";
const bankWeights = [3, 7, 3, 3, 7, 3] as const;
const serialWeights = [3, 7, 3, 3, 7, 3, 3, 7, 3] as const;
const serials = 999_999_999;

/**
 * A number by chance; seeded when the clock stands still. Whether it is still free, the database knows: numbers are
 * unique over the installation. So the environment is part of the draw. Without it all sandboxes that are frozen with
 * one seed draw the same numbers in the same order, and there are soon more sandboxes than attempts.
 */
export function newAccountNumber({ id, clock }: Pick<EnvironmentScope, "id" | "clock">): string {
  const drawn = createHash("sha256").update(clock.randomBytes(16)).update(id).digest();
  // Serial 0 is left out: the sandbox gives 0000000000 a meaning of its own.
  const serial = 1 + (drawn.readUIntBE(0, 6) % serials);
  const digits = String(serial).padStart(9, "0");
  return digits + checkDigit(digits);
}

export function hasValidCheckDigit(accountNumber: string): boolean {
  return /^\d{10}$/.test(accountNumber) && accountNumber.endsWith(checkDigit(accountNumber.slice(0, 9)));
}

function checkDigit(serial: string): string {
  const sum = weigh(bankCode, bankWeights) + weigh(serial, serialWeights);
  return String((10 - (sum % 10)) % 10);
}

function weigh(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, place) => sum + weight * Number(digits.charAt(place)), 0);
}
