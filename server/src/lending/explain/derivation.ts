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
import { type Kobo, nairaString } from "../../money/kobo.ts";
import { daysBetween } from "../../platform/time/lagos-date.ts";
import { type Calculation, inKobo } from "../pricing/calculation.ts";
import { type Rate, ratePercent } from "../pricing/product.ts";

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

/** A calculation that writes down each of its steps. */
export interface Derivation extends Calculation<Known> {
  readonly steps: readonly ExplanationStep[];
  /** A fact that is not an amount. */
  fact(name: string, words: string, value: string): void;
  days(name: string, words: string, from: Temporal.PlainDate, to: Temporal.PlainDate): number;
}

export function createDerivation(): Derivation {
  const steps = new Map<string, ExplanationStep>();
  const known = new Map<string, Known>();
  // Several steps may take in the same step: it is written once, where it was first needed.
  const write = (step: ExplanationStep): void => {
    if (!steps.has(step.name)) steps.set(step.name, step);
  };
  const amountStep: AmountStep = (step, inputs, amount) => {
    write({ ...step, rounding: step.rounding ?? null, inputs: inputs.map(inputOf), result: nairaString(amount) });
    return known.getOrInsert(step.name, { name: step.name, amount });
  };
  return {
    get steps() {
      return [...steps.values()];
    },
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

/** Each amount is what `inKobo` computes. */
function arithmeticSteps(amountStep: AmountStep): Omit<Calculation<Known>, "given"> {
  return {
    sum: (name, words, inputs) =>
      amountStep({ name, words, operation: "sum" }, inputs, inKobo.sum(name, words, inputs.map(amountOf))),
    difference: (name, words, from, less) =>
      amountStep(
        { name, words, operation: "difference" },
        [from, ...less],
        inKobo.difference(name, words, from.amount, less.map(amountOf)),
      ),
    percent: (name, words, of, rate, periods) =>
      amountStep(
        { name, words, operation: "percent", rounding: "half up to the kobo" },
        [of, percentInput(rate), plain("periods", periods)],
        inKobo.percent(name, words, of.amount, rate, periods),
      ),
    split: (name, words, amount, parts) =>
      amountStep(
        { name, words, operation: "split", rounding: "down to the kobo" },
        [amount, plain("parts", parts)],
        inKobo.split(name, words, amount.amount, parts),
      ),
    rest: (name, words, amount, part, parts) =>
      amountStep(
        { name, words, operation: "rest" },
        [amount, part, plain("parts", parts)],
        inKobo.rest(name, words, amount.amount, part.amount, parts),
      ),
    annuity: (name, words, amount, rate, periods) =>
      amountStep(
        { name, words, operation: "annuity", rounding: "half up to the kobo" },
        [amount, percentInput(rate), plain("periods", periods)],
        inKobo.annuity(name, words, amount.amount, rate, periods),
      ),
    larger: (name, words, one, other) =>
      amountStep(
        { name, words, operation: "larger" },
        [one, other],
        inKobo.larger(name, words, one.amount, other.amount),
      ),
    smaller: (name, words, one, other) =>
      amountStep(
        { name, words, operation: "smaller" },
        [one, other],
        inKobo.smaller(name, words, one.amount, other.amount),
      ),
  };
}

function amountOf({ amount }: Known): Kobo {
  return amount;
}

interface Plain {
  readonly plain: { readonly name: string; readonly value: string };
}

function plain(name: string, value: number | Temporal.PlainDate): Plain {
  return { plain: { name, value: String(value) } };
}

function percentInput(rate: Rate): Plain {
  return { plain: { name: "rate", value: String(ratePercent(rate)) } };
}

function inputOf(input: Known | Plain): { readonly name: string; readonly value: string } {
  return "plain" in input ? input.plain : { name: input.name, value: nairaString(input.amount) };
}
