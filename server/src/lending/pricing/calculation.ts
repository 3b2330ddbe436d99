/**
 * The operations that pricing consists of. A rule of pricing is written once, over a `Calculation`, and is computed in
 * one of two ways: `inKobo` returns amounts and nothing else, which is what a quote needs; a derivation
 * (`explain/derivation.ts`) computes the same amounts and writes down each step, which is what an explanation shows.
 *
 * Every operation gets the name and the words of its step. Names are unique within a calculation.
 */
import { larger, multiplyRatio, smaller, splitEvenly, subtract, sum } from "../../money/arithmetic.ts";
import type { Kobo } from "../../money/kobo.ts";
import { type Rate, rateUnit } from "./product.ts";

export interface Calculation<Amount> {
  /** A fact: nothing to compute. */
  given(name: string, words: string, amount: Kobo): Amount;
  sum(name: string, words: string, inputs: readonly Amount[]): Amount;
  difference(name: string, words: string, from: Amount, less: readonly Amount[]): Amount;
  /** `rate` of the amount for each of so many periods, rounded half up once. */
  percent(name: string, words: string, of: Amount, rate: Rate, periods: number): Amount;
  /** One of equal parts, rounded down. */
  split(name: string, words: string, amount: Amount, parts: number): Amount;
  /** The last of equal parts, which takes what the rounding of `part` left. */
  rest(name: string, words: string, amount: Amount, part: Amount, parts: number): Amount;
  annuity(name: string, words: string, amount: Amount, rate: Rate, periods: number): Amount;
  larger(name: string, words: string, one: Amount, other: Amount): Amount;
  smaller(name: string, words: string, one: Amount, other: Amount): Amount;
}

export const inKobo: Calculation<Kobo> = {
  given: (_name, _words, amount) => amount,
  sum: (_name, _words, inputs) => sum(inputs),
  difference: (_name, _words, from, less) => subtract(from, sum(less)),
  percent: (_name, _words, of, rate, periods) => multiplyRatio(of, rate * BigInt(periods), rateUnit, "half_up"),
  split: (_name, _words, amount, parts) => splitEvenly(amount, parts)[0] ?? amount,
  rest: (_name, _words, amount, _part, parts) => splitEvenly(amount, parts).at(-1) ?? amount,
  annuity: (_name, _words, amount, rate, periods) => annuity(amount, rate, periods),
  larger: (_name, _words, one, other) => larger(one, other),
  smaller: (_name, _words, one, other) => smaller(one, other),
};

/**
 * The equal instalment that pays an amount off in `periods` at a rate r on what is owed: amount × r ÷ (1 − (1 + r)^−n).
 * Computed as one exact ratio of whole numbers and rounded once, half up.
 */
export function annuity(amount: Kobo, rate: Rate, periods: number): Kobo {
  if (rate === 0n) return multiplyRatio(amount, 1n, BigInt(periods), "half_up");
  const grown = (rateUnit + rate) ** BigInt(periods);
  const flat = rateUnit ** BigInt(periods);
  return multiplyRatio(amount, rate * grown, rateUnit * (grown - flat), "half_up");
}
