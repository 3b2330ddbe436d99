/** Computes an explanation again from its own words and numbers, with arithmetic of its own. */
import { expect } from "vitest";
import type { ExplanationStep } from "../../src/lending/explain/derivation.ts";
import { kobo, nairaString } from "../../src/money/kobo.ts";

/** Kobo from "1000.00", and parts per million from a percentage. */
const cents = (text: string): bigint => BigInt(text.replace(".", ""));
const millionths = (percent: string): bigint => BigInt(Math.round(Number(percent) * 10_000));
const halfUp = (numerator: bigint, denominator: bigint): bigint => (2n * numerator + denominator) / (2n * denominator);
const written = (amount: bigint): string => nairaString(kobo(amount));

/** What a step must come to, computed from what it shows and from nothing else. */
function recompute({ operation, inputs, result }: ExplanationStep): string {
  const values = inputs.map(({ value }) => value);
  const named = (name: string): string => inputs.find((input) => input.name === name)?.value ?? "missing";
  const [first = "0.00", second = "0.00"] = values;
  switch (operation) {
    case "given":
      return result;
    case "sum":
      return written(values.reduce((total, value) => total + cents(value), 0n));
    case "difference":
      return written(values.slice(1).reduce((left, value) => left - cents(value), cents(first)));
    case "percent":
      return written(halfUp(cents(first) * millionths(named("rate")) * BigInt(named("periods")), 1_000_000n));
    case "split":
      return written(cents(first) / BigInt(named("parts")));
    case "rest":
      return written(cents(first) - cents(second) * (BigInt(named("parts")) - 1n));
    case "annuity":
      return written(annuityByDiscounting(cents(first), millionths(named("rate")), Number(named("periods"))));
    case "larger":
      return cents(first) > cents(second) ? first : second;
    case "smaller":
      return cents(first) < cents(second) ? first : second;
    case "days":
      return String((Date.parse(named("to")) - Date.parse(named("from"))) / 86_400_000);
  }
}

/** The instalment whose discounted payments add up to the amount: a sum of n fractions over a common denominator. */
function annuityByDiscounting(amount: bigint, rate: bigint, periods: number): bigint {
  const unit = 1_000_000n;
  const grown = unit + rate;
  let factors = 0n;
  for (let period = 1; period <= periods; period += 1) {
    factors += unit ** BigInt(period) * grown ** BigInt(periods - period);
  }
  return halfUp(amount * grown ** BigInt(periods), factors);
}

/** Every step comes to what it says, from facts and from steps before it, and the last one to the value. */
export function proveRecomputes(field: string, steps: readonly ExplanationStep[], value: bigint): void {
  const known = new Map<string, string>();
  for (const step of steps) {
    expect(step.words).toMatch(/\.$/);
    for (const input of step.inputs) {
      if (known.has(input.name)) expect(input.value, `${step.name} takes ${input.name}`).toBe(known.get(input.name));
    }
    expect(recompute(step), `${field}: ${step.name}`).toBe(step.result);
    known.set(step.name, step.result);
  }
  expect(steps.at(-1)?.result).toBe(written(value));
}
