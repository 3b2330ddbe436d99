/** Arithmetic on kobo. Adding is exact; every division names how it rounds. */
import { type Kobo, kobo, zeroKobo } from "./kobo.ts";

export function add(...amounts: readonly Kobo[]): Kobo {
  return kobo(amounts.reduce((sum, amount) => sum + amount, 0n));
}

export function subtract(from: Kobo, amount: Kobo): Kobo {
  return kobo(from - amount);
}

export function negate(amount: Kobo): Kobo {
  return kobo(-amount);
}

export function sum(amounts: Iterable<Kobo>): Kobo {
  let total = zeroKobo;
  for (const amount of amounts) total = add(total, amount);
  return total;
}

export function smaller(one: Kobo, other: Kobo): Kobo {
  return one < other ? one : other;
}

export function larger(one: Kobo, other: Kobo): Kobo {
  return one > other ? one : other;
}

/** Equal parts, rounded down; the last takes the remainder, so that the parts always sum to the amount. */
export function splitEvenly(amount: Kobo, parts: number): Kobo[] {
  if (!Number.isSafeInteger(parts) || parts < 1) throw new RangeError("an amount is split into one part or more");
  const part = multiplyRatio(amount, 1n, BigInt(parts), "down");
  const last = subtract(amount, kobo(part * BigInt(parts - 1)));
  return Array.from({ length: parts }, (_, place) => (place === parts - 1 ? last : part));
}

/**
 * An amount split in proportion to weights that together are not less than it, so that no part exceeds its weight. Each
 * part is rounded down; the last takes what that leaves, and what would exceed its weight goes to the one before it.
 */
export function splitInProportion(amount: Kobo, weights: readonly Kobo[]): Kobo[] {
  const whole = sum(weights);
  if (amount < 0n || amount > whole) throw new RangeError("an amount is split over weights that can hold it");
  if (amount === 0n) return weights.map(() => zeroKobo);
  const parts = weights.map((weight) => multiplyRatio(amount, weight, whole, "down"));
  let left = subtract(amount, sum(parts));
  return parts
    .reverse()
    .map((part, place) => {
      const room = subtract(weights[weights.length - 1 - place] ?? zeroKobo, part);
      const taken = smaller(room, left);
      left = subtract(left, taken);
      return add(part, taken);
    })
    .reverse();
}

export type Rounding = "half_up" | "down" | "up";

/**
 * amount × numerator ÷ denominator, in whole kobo. Half up means away from zero at exactly half a kobo, as tax
 * offices round; down and up mean towards and away from zero.
 */
export function multiplyRatio(amount: Kobo, numerator: bigint, denominator: bigint, rounding: Rounding): Kobo {
  if (denominator <= 0n) throw new RangeError("a ratio needs a positive denominator");
  const product = amount * numerator;
  const magnitude = product < 0n ? -product : product;
  const quotient = magnitude / denominator;
  const remainder = magnitude % denominator;
  const rounded = quotient + (roundsAway(remainder, denominator, rounding) ? 1n : 0n);
  return kobo(product < 0n ? -rounded : rounded);
}

function roundsAway(remainder: bigint, denominator: bigint, rounding: Rounding): boolean {
  if (rounding === "down") return false;
  if (rounding === "up") return remainder > 0n;
  return remainder * 2n >= denominator;
}
