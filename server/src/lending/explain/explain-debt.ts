/** The derivation of what is owed: the plan, late fees, and what was paid. */
import { zeroKobo } from "../../money/kobo.ts";
import type { Loan } from "../account/loan.ts";
import { asked } from "../position/figures.ts";
import { dueParts, earliestOpen, type InstalmentPosition, isOverdue, sumParts } from "../position/instalment.ts";
import { lateFeeOf, priceLateFee } from "../pricing/quote.ts";
import type { Derivation, Known } from "./derivation.ts";
import type { PlanExplanation } from "./explain-plan.ts";
import { explainPaidByRefunds } from "./explain-reductions.ts";

type DebtField = "to_repay" | "balance" | "next_repayment_amount";

export function explainDebt(
  derivation: Derivation,
  loan: Loan,
  today: Temporal.PlainDate,
  plan: PlanExplanation,
  field: DebtField,
): Known {
  if (field === "balance") return explainBalance(derivation, loan, plan);
  const { graceDays } = loan.product;
  if (field === "next_repayment_amount") {
    const next = earliestOpen(plan.instalments);
    if (next !== undefined) explainLateness(derivation, next, graceDays, today);
    const parts = next === undefined ? [] : [explainUnpaid(derivation, loan, plan, next)];
    const words = next === undefined ? "No instalment is open." : `Instalment ${next.number} is the earliest open one.`;
    return derivation.sum(field, words, parts);
  }
  const wanted = asked(plan.instalments, graceDays, today).map((instalment) => {
    explainLateness(derivation, instalment, graceDays, today);
    return explainUnpaid(derivation, loan, plan, instalment);
  });
  return derivation.sum(field, "Everything overdue and the earliest open instalment, each counted once.", wanted);
}

function explainBalance(derivation: Derivation, loan: Loan, plan: PlanExplanation): Known {
  const total = plan.totalRepayment();
  const lateFees = plan.instalments
    .filter(({ lateFee }) => lateFee !== 0n)
    .map((instalment) => explainLateFee(derivation, loan, plan, instalment));
  const owedAgain = explainTakenBack(derivation, loan);
  const words = `The total repayment and all late fees${owedAgain.length > 0 ? ", and what is owed again" : ""}.`;
  const owed = derivation.sum("owed_in_all", words, [total, ...lateFees, ...owedAgain]);
  return derivation.difference("balance", "What is owed in all, less what was paid.", owed, [
    ...explainPaid(derivation, loan),
    ...explainPaidByRefunds(derivation, loan),
  ]);
}

/** Credit that was given back and turned out not to be there, because a repayment was reversed. */
function explainTakenBack(derivation: Derivation, { history, position }: Loan): Known[] {
  return history.refunds.flatMap(({ id, reference }) => {
    const amount = position.takenBack.get(id);
    if (amount === undefined) return [];
    const words = `Given back as credit, reference ${reference}, that a reversed repayment had made: owed again.`;
    return [derivation.given(`owed_again[${reference}]`, words, amount)];
  });
}

/** Each repayment with the part of it that the loan took: credit, refunds and suspense are not the loan's. */
function explainPaid(derivation: Derivation, { history, position }: Loan): Known[] {
  return history.repayments.flatMap((repayment) => {
    const allocation = position.allocations.get(repayment.id);
    if (allocation === undefined) return [];
    const name = `repayment[${repayment.number}]`;
    const words = `Repayment ${repayment.number}, reference ${repayment.reference}, by ${repayment.channel}.`;
    const whole = derivation.given(name, words, repayment.amount);
    const { credit, refunded, suspense } = allocation;
    const others = Object.entries({ credit, refunded, suspense })
      .filter(([, amount]) => amount !== 0n)
      .map(([part, amount]) => derivation.given(`${name}.${part}`, otherWords[part] ?? part, amount));
    if (others.length === 0) return [whole];
    return [derivation.difference(`${name}.taken`, "What the loan took of it.", whole, others)];
  });
}

const otherWords: Readonly<Record<string, string>> = {
  credit: "Paid too much: the borrower's credit.",
  refunded: "Given back to the borrower.",
  suspense: "Came after the loan was written off.",
};

function explainUnpaid(
  derivation: Derivation,
  loan: Loan,
  plan: PlanExplanation,
  instalment: InstalmentPosition,
): Known {
  const { number, dueDate } = instalment;
  const parts = [...plan.partsOf(number)];
  if (instalment.lateFee !== 0n) parts.push(explainLateFee(derivation, loan, plan, instalment));
  const due = derivation.sum(`owed_of[${number}]`, `Instalment ${number}, due on ${dueDate}.`, parts);
  const paid = sumParts(instalment.paid);
  const less = paid === zeroKobo ? [] : [derivation.given(`paid_of[${number}]`, `Paid of instalment ${number}.`, paid)];
  return derivation.difference(`unpaid_of[${number}]`, `What is unpaid of instalment ${number}.`, due, less);
}

function explainLateFee(
  derivation: Derivation,
  { product }: Loan,
  plan: PlanExplanation,
  instalment: InstalmentPosition,
): Known {
  const { number, lateFee } = instalment;
  // The fee was charged on the instalment as it was then. A refund after its due date has changed it since, or one
  // before it takes more today than it did, because a repayment was reversed.
  if (lateFeeOf(product, { number, ...dueParts(instalment) }) !== lateFee) {
    const words = `The late fee of instalment ${number}, charged once, on what it was before it was refunded.`;
    return derivation.given(`late_fee[${number}]`, words, lateFee);
  }
  return priceLateFee(derivation, product, { number, parts: plan.partsOf(number) });
}

function explainLateness(
  derivation: Derivation,
  instalment: InstalmentPosition,
  graceDays: number,
  today: Temporal.PlainDate,
): void {
  const { number, dueDate } = instalment;
  const late = isOverdue(instalment, graceDays, today);
  const words = late
    ? `Instalment ${number} is overdue: its due date and ${graceDays} days of grace have passed.`
    : `Instalment ${number} is open and not overdue: its due date and ${graceDays} days of grace have not passed.`;
  derivation.days(`days_past_due[${number}]`, words, dueDate, today);
}
