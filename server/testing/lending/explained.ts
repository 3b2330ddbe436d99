/** Figures of loans explained without a database. */

import type { Loan } from "../../src/lending/account/loan.ts";
import { createDerivation, type ExplanationStep } from "../../src/lending/explain/derivation.ts";
import { type ExplainableField, explainCredit } from "../../src/lending/explain/explain.ts";
import { explainDebt } from "../../src/lending/explain/explain-debt.ts";
import { explainPlan } from "../../src/lending/explain/explain-plan.ts";
import { date, type HistoryTerms, happened, historyOf, loanOf, orderHistory } from "./loan-histories.ts";

/** The steps that explain a figure of the loan on a day. */
export function stepsOf(loan: Loan, day: string, field: ExplainableField): readonly ExplanationStep[] {
  const derivation = createDerivation();
  if (field === "credit") explainCredit(derivation, loan);
  else {
    const plan = explainPlan(derivation, loan, date(day));
    if (field === "total_interest") plan.totalInterest();
    else if (field === "total_repayment") plan.totalRepayment();
    else explainDebt(derivation, loan, date(day), plan, field);
  }
  return derivation.steps;
}

/** A loan to which this happened, written as `what:when:amount`. */
export function lived(steps: readonly string[] = [], change: Partial<HistoryTerms> = {}): Loan {
  const terms = { ...orderHistory, ...change };
  const history = steps.reduce((so, step, place) => happened(so, step, place + 2), historyOf(terms));
  return loanOf(terms, history);
}

export const told = (steps: readonly ExplanationStep[]) => steps.map(({ name, result }) => [name, result]);
export const wordsOf = (steps: readonly ExplanationStep[], name: string) =>
  steps.find((step) => step.name === name)?.words;
