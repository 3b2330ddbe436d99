/** The part of a derivation that tells what was waived, and what refunded orders took off the plan. */
import { subtract } from "../../money/arithmetic.ts";
import type { Kobo } from "../../money/kobo.ts";
import type { Loan } from "../account/loan.ts";
import type { InstalmentPosition } from "../position/instalment.ts";
import { type ReductionEffect, takenBy } from "../position/position.ts";
import type { Reduction } from "../position/repayment.ts";
import type { Derivation, Known } from "./derivation.ts";

/** Each takes what was planned and returns what is left of it. */
export interface ShrunkSteps {
  amount(planned: Known): Known;
  totalInterest(planned: Known): Known;
  totalFees(planned: Known): Known;
  principalOf(instalment: InstalmentPosition, planned: Known): Known;
  interestOf(instalment: InstalmentPosition, planned: Known): Known;
  feesOf(instalment: InstalmentPosition, planned: Known): Known;
}

type Off = "waivedInterest" | "waivedFees" | "reducedPrincipal";

export function shrunkSteps(
  derivation: Derivation,
  loan: Loan,
  instalments: readonly InstalmentPosition[],
): ShrunkSteps {
  const words = offWords(loan.history.reductions.length > 0);
  const off = (field: Off, { number, ...instalment }: InstalmentPosition): Known =>
    derivation.given(`${offNames[field]}[${number}]`, words[field](number), instalment[field]);
  const less = (field: Off, instalment: InstalmentPosition, planned: Known): Known => {
    if (instalment[field] === 0n) return planned;
    const name = `${leftNames[field]}[${instalment.number}]`;
    return derivation.difference(name, leftWords[field], planned, [off(field, instalment)]);
  };
  const all = (field: Off): Known[] =>
    instalments.filter((instalment) => instalment[field] !== 0n).map((instalment) => off(field, instalment));
  return {
    amount: (planned) => withoutRefunds(derivation, loan, planned),
    totalInterest: (planned) =>
      derivation.difference(
        "total_interest",
        "Interest of the plan, less what was waived.",
        planned,
        all("waivedInterest"),
      ),
    totalFees: (planned) => {
      const waived = all("waivedFees");
      if (waived.length === 0) return planned;
      return derivation.difference("total_fees", "The fee, less what was waived.", planned, waived);
    },
    principalOf: (instalment, planned) => less("reducedPrincipal", instalment, planned),
    interestOf: (instalment, planned) => less("waivedInterest", instalment, planned),
    feesOf: (instalment, planned) => less("waivedFees", instalment, planned),
  };
}

const offNames = { waivedInterest: "waived", waivedFees: "waived_fees", reducedPrincipal: "refunded" } as const;
const leftNames = {
  waivedInterest: "interest_due",
  waivedFees: "fees_due",
  reducedPrincipal: "principal_due",
} as const;
const leftWords = {
  waivedInterest: "Interest that was not waived.",
  waivedFees: "Fees that were not waived.",
  reducedPrincipal: "Principal that was not refunded.",
} as const;

function offWords(hasReductions: boolean): Record<Off, (number: number) => string> {
  return {
    waivedInterest: (number) =>
      hasReductions
        ? `Waived of period ${number}, in proportion to a refund before it fell due, or when the loan was settled.`
        : `Waived: period ${number} had not begun when the loan was settled.`,
    waivedFees: (number) => `Waived of instalment ${number}, in proportion to what was refunded before it fell due.`,
    reducedPrincipal: (number) => `Principal that refunds took off instalment ${number}.`,
  };
}

function withoutRefunds(derivation: Derivation, loan: Loan, amount: Known): Known {
  const taken = effectsOf(loan)
    .filter(({ effect }) => effect.principal !== 0n)
    .map((reduced) => principalStep(derivation, reduced));
  if (taken.length === 0) return amount;
  return derivation.difference(
    "principal_owed",
    "The amount lent, less what refunds took off the plan.",
    amount,
    taken,
  );
}

interface Reduced {
  readonly place: number;
  readonly reduction: Reduction;
  readonly effect: ReductionEffect;
}

function effectsOf({ history, position }: Loan): Reduced[] {
  return history.reductions.flatMap((reduction, index) => {
    const effect = position.effects.get(reduction.id);
    return effect === undefined ? [] : [{ place: index + 1, reduction, effect }];
  });
}

function principalStep(derivation: Derivation, { place, reduction, effect }: Reduced): Known {
  const words = `Principal that refund ${place}, reference ${reduction.reference}, took off the plan.`;
  return derivation.given(`refund[${place}].principal`, words, effect.principal);
}

/** What refunds paid beyond all principal: costs that had fallen due. Less than nothing where they set money free. */
export function explainPaidByRefunds(derivation: Derivation, loan: Loan): Known[] {
  return effectsOf(loan).flatMap((reduced) => {
    const { place, reduction, effect } = reduced;
    const paid: Kobo = subtract(takenBy(effect), effect.principal);
    if (paid === 0n) return [];
    const name = `refund[${place}]`;
    const words = `Refund ${place}, reference ${reduction.reference}, of the order.`;
    const whole = derivation.given(name, words, reduction.amount);
    const others = [
      ...(effect.principal === 0n ? [] : [principalStep(derivation, reduced)]),
      ...(effect.credit === 0n
        ? []
        : [derivation.given(`${name}.credit`, "Beyond the loan: the borrower's credit.", effect.credit)]),
      ...(effect.refunded === 0n
        ? []
        : [derivation.given(`${name}.refunded`, "Given on to the borrower.", effect.refunded)]),
    ];
    const paidWords =
      paid > 0n
        ? "What of it paid costs that had fallen due."
        : "Less than nothing: what it set free of money paid before, which the smaller plan does not take.";
    return [derivation.difference(`${name}.paid`, paidWords, whole, others)];
  });
}
