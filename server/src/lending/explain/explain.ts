/** Explains a figure of a loan: its derivation, and what the ledger wrote for the loan so far. */
import { readPostings, type WrittenPosting } from "../../ledger/read-postings.ts";
import type { Kobo } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import { lagosDate } from "../../platform/time/lagos-date.ts";
import { findLoan, type Loan } from "../account/loan.ts";
import { isAbandoned } from "../account/loan-account.ts";
import { viewOf } from "../account/read-loan-account.ts";
import { sumParts } from "../position/instalment.ts";
import { type Allocation, takenBy } from "../position/position.ts";
import { createDerivation, type Derivation, type ExplanationStep, type Known } from "./derivation.ts";
import { explainDebt } from "./explain-debt.ts";
import { explainPlan } from "./explain-plan.ts";

export const explainableFields = [
  "to_repay",
  "balance",
  "next_repayment_amount",
  "total_interest",
  "total_repayment",
  "credit",
] as const;
export type ExplainableField = (typeof explainableFields)[number];

export interface Explanation {
  readonly field: ExplainableField;
  readonly value: Kobo;
  /** The environment's time at which the figure holds. */
  readonly asOf: Date;
  /** The last step's result is the value. */
  readonly steps: readonly ExplanationStep[];
  /** Everything posted for the loan, its repayments and refunds, oldest first. Legs name accounts by their purpose. */
  readonly postings: readonly WrittenPosting[];
}

export async function explain(tx: Tx, accountId: string, field: ExplainableField): Promise<Explanation> {
  const loan = await findLoan(tx, accountId);
  if (loan === undefined) throw new Error(`there is no loan account ${accountId}`);
  const asOf = tx.environment.clock.now();
  const today = lagosDate(asOf);
  const derivation = createDerivation();
  const { amount } = derive(derivation, loan, today, field);
  const value = figureOf(loan, today, field);
  // An explanation that comes to another figure than the one shown would be worse than none.
  if (amount !== value) throw new Error(`${field} is ${value} and was explained as ${amount}`);
  const { repayments, reductions, refunds } = loan.history;
  const records = [accountId, ...[...repayments, ...reductions, ...refunds].map(({ id }) => id)];
  return { field, value, asOf, steps: derivation.steps, postings: await readPostings(tx, records) };
}

function derive(derivation: Derivation, loan: Loan, today: Temporal.PlainDate, field: ExplainableField): Known {
  const { status } = loan.account;
  if (isAbandoned(status) && !field.startsWith("total_")) {
    return derivation.sum(field, `The loan is ${status} and was never paid out: nothing is owed.`, []);
  }
  if (field === "credit") return explainCredit(derivation, loan);
  const plan = explainPlan(derivation, loan, today);
  if (field === "total_interest") return plan.totalInterest();
  if (field === "total_repayment") return plan.totalRepayment();
  return explainDebt(derivation, loan, today, plan, field);
}

function figureOf(loan: Loan, today: Temporal.PlainDate, field: ExplainableField): Kobo {
  const { figures, credit } = viewOf(loan, today);
  const values: Record<ExplainableField, Kobo> = {
    to_repay: figures.toRepay,
    balance: figures.balance,
    next_repayment_amount: figures.nextRepaymentAmount,
    total_interest: figures.totalInterest,
    total_repayment: figures.totalRepayment,
    credit,
  };
  return values[field];
}

/** The derivation of a loan's credit: of each repayment and refunded order, what the loan did not take. */
export function explainCredit(derivation: Derivation, { history, position }: Loan): Known {
  const repayments = history.repayments.flatMap(({ id, number, reference, channel, amount }) => {
    const words = `Repayment ${number}, reference ${reference}, by ${channel}.`;
    const allocation = position.allocations.get(id);
    if (allocation === undefined) return [];
    const taken = { amount: sumParts(allocation), words: "What the loan took of it." };
    return beyond(derivation, { name: `repayment[${number}]`, words, amount, taken }, allocation);
  });
  const refunds = history.reductions.flatMap(({ id, reference, amount }, index) => {
    const words = `Refund ${index + 1}, reference ${reference}, of the order.`;
    const effect = position.effects.get(id);
    if (effect === undefined) return [];
    const taken = { amount: takenBy(effect), words: takenOrFreed };
    return beyond(derivation, { name: `refund[${index + 1}]`, words, amount, taken }, effect);
  });
  const words = "What was paid beyond the loan and has not been given back.";
  return derivation.sum("credit", words, [...repayments, ...refunds]);
}

const takenOrFreed = "What the loan took of it, less what was prepaid and the smaller plan does not take.";

interface Money {
  readonly name: string;
  readonly words: string;
  readonly amount: Kobo;
  readonly taken: { readonly amount: Kobo; readonly words: string };
}

/** Money of which nothing is credit has no steps, nor has a reversed repayment. */
function beyond(derivation: Derivation, money: Money, allocation: Allocation): Known[] {
  if (allocation.credit === 0n) return [];
  const { name } = money;
  const whole = derivation.given(name, money.words, money.amount);
  const others = [
    ["taken", money.taken.words, money.taken.amount],
    ["refunded", "Given back to the borrower.", allocation.refunded],
    ["suspense", "Came after the loan was written off.", allocation.suspense],
  ] as const;
  const less = others
    .filter(([, , amount]) => amount !== 0n)
    .map(([part, words, amount]) => derivation.given(`${name}.${part}`, words, amount));
  return [derivation.difference(`${name}.credit`, "What of it is credit.", whole, less)];
}
