/**
 * How a figure came about, step by step, in words and in numbers. Each step names what it takes in, either a fact or
 * the result of an earlier step, so that anybody can compute it again:
 *
 *   given       a fact: nothing to compute
 *   sum         all inputs added
 *   difference  the first input less all others
 *   percent     amount × rate % × periods
 *   split       amount ÷ parts
 *   rest        amount − part × (parts − 1)
 *   annuity     amount × r ÷ (1 − (1 + r)^−periods), r being rate %
 *   larger      the larger of the inputs
 *   smaller     the smaller of the inputs
 *   days        days from one date to another
 *
 * Amounts are naira with two decimals, rates percent, dates calendar dates in Lagos.
 */
import { add, larger, multiplyRatio, smaller, splitEvenly, subtract, sum } from "../money/arithmetic.ts";
import { type Kobo, nairaString } from "../money/kobo.ts";
import { daysBetween } from "../platform/time/lagos-date.ts";
import { type Rate, ratePercent, rateUnit } from "./product.ts";
import { annuity } from "./quote.ts";

export const operations = [
  "given",
  "sum",
  "difference",
  "percent",
  "split",
  "rest",
  "annuity",
  "larger",
  "smaller",
  "days",
] as const;
export type Operation = (typeof operations)[number];

export interface ExplanationStep {
  readonly name: string;
  readonly words: string;
  readonly operation: Operation;
  readonly inputs: readonly { readonly name: string; readonly value: string }[];
  readonly rounding: "half up to the kobo" | "down to the kobo" | null;
  readonly result: string;
}

/** An amount that a step has established. */
export interface Known {
  readonly name: string;
  readonly amount: Kobo;
}

export interface Derivation {
  readonly steps: readonly ExplanationStep[];
  given(name: string, words: string, amount: Kobo): Known;
  /** A fact that is not an amount. */
  fact(name: string, words: string, value: string): void;
  sum(name: string, words: string, inputs: readonly Known[]): Known;
  difference(name: string, words: string, from: Known, less: readonly Known[]): Known;
  percent(name: string, words: string, of: Known, rate: Rate, periods: number): Known;
  split(name: string, words: string, amount: Known, parts: number): Known;
  rest(name: string, words: string, amount: Known, part: Known, parts: number): Known;
  annuity(name: string, words: string, amount: Known, rate: Rate, periods: number): Known;
  larger(name: string, words: string, one: Known, other: Known): Known;
  smaller(name: string, words: string, one: Known, other: Known): Known;
  days(name: string, words: string, from: Temporal.PlainDate, to: Temporal.PlainDate): number;
}

export function createDerivation(): Derivation {
  const steps: ExplanationStep[] = [];
  // The same fact may be called on by several steps; it is told once.
  const write = (step: ExplanationStep): void => {
    if (!steps.some(({ name }) => name === step.name)) steps.push(step);
  };
  const amountStep: AmountStep = (step, inputs, amount) => {
    write({ ...step, rounding: step.rounding ?? null, inputs: inputs.map(inputOf), result: nairaString(amount) });
    return { name: step.name, amount };
  };
  return {
    steps,
    given: (name, words, amount) => amountStep({ name, words, operation: "given" }, [], amount),
    fact: (name, words, value) => write({ name, words, operation: "given", inputs: [], rounding: null, result: value }),
    days: (name, words, from, to) => {
      const days = daysBetween(from, to);
      const inputs = [plain("from", from).plain, plain("to", to).plain];
      write({ name, words, operation: "days", inputs, rounding: null, result: String(days) });
      return days;
    },
    ...arithmeticSteps(amountStep),
  };
}

type AmountStep = (
  step: Omit<ExplanationStep, "inputs" | "result" | "rounding"> & { rounding?: ExplanationStep["rounding"] },
  inputs: readonly (Known | Plain)[],
  amount: Kobo,
) => Known;

function arithmeticSteps(amountStep: AmountStep): Omit<Derivation, "steps" | "given" | "fact" | "days"> {
  return {
    sum: (name, words, inputs) =>
      amountStep({ name, words, operation: "sum" }, inputs, sum(inputs.map(({ amount }) => amount))),
    difference: (name, words, from, less) =>
      amountStep(
        { name, words, operation: "difference" },
        [from, ...less],
        subtract(from.amount, add(...less.map(({ amount }) => amount))),
      ),
    percent: (name, words, of, rate, periods) =>
      amountStep(
        { name, words, operation: "percent", rounding: "half up to the kobo" },
        [of, percentInput(rate), plain("periods", periods)],
        multiplyRatio(of.amount, rate * BigInt(periods), rateUnit, "half_up"),
      ),
    split: (name, words, amount, parts) =>
      amountStep(
        { name, words, operation: "split", rounding: "down to the kobo" },
        [amount, plain("parts", parts)],
        splitEvenly(amount.amount, parts)[0] ?? amount.amount,
      ),
    rest: (name, words, amount, part, parts) =>
      amountStep(
        { name, words, operation: "rest" },
        [amount, part, plain("parts", parts)],
        splitEvenly(amount.amount, parts).at(-1) ?? amount.amount,
      ),
    annuity: (name, words, amount, rate, periods) =>
      amountStep(
        { name, words, operation: "annuity", rounding: "half up to the kobo" },
        [amount, percentInput(rate), plain("periods", periods)],
        annuity(amount.amount, rate, periods),
      ),
    larger: (name, words, one, other) =>
      amountStep({ name, words, operation: "larger" }, [one, other], larger(one.amount, other.amount)),
    smaller: (name, words, one, other) =>
      amountStep({ name, words, operation: "smaller" }, [one, other], smaller(one.amount, other.amount)),
  };
}

interface Plain {
  readonly plain: { readonly name: string; readonly value: string };
}

function plain(name: string, value: number | Temporal.PlainDate): Plain {
  return { plain: { name, value: String(value) } };
}

function percentInput(rate: Rate): Plain {
  return { plain: { name: "rate", value: percentText(rate) } };
}

/** "0.2" for 2000 parts per million. */
export function percentText(rate: Rate): string {
  return String(ratePercent(rate));
}

function inputOf(input: Known | Plain): { readonly name: string; readonly value: string } {
  return "plain" in input ? input.plain : { name: input.name, value: nairaString(input.amount) };
}
