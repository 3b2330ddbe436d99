/** Whatever happens to a loan, its figures are explained by steps that anybody can compute again. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { stepsOf } from "../../../testing/lending/explained.ts";
import { date, loanOf } from "../../../testing/lending/loan-histories.ts";
import { anyLife } from "../../../testing/lending/random-lives.ts";
import { proveRecomputes } from "../../../testing/lending/recompute.ts";
import type { Loan } from "../account/loan.ts";
import { viewOf } from "../account/read-loan-account.ts";
import { type ExplainableField, explainableFields } from "./explain.ts";

function figure(loan: Loan, day: string, field: ExplainableField): bigint {
  const { figures, credit } = viewOf(loan, date(day));
  const { toRepay, balance, nextRepaymentAmount, totalInterest, totalRepayment } = figures;
  const values = {
    to_repay: toRepay,
    balance,
    next_repayment_amount: nextRepaymentAmount,
    total_interest: totalInterest,
    total_repayment: totalRepayment,
    credit,
  };
  return values[field];
}

const anyField = fc.constantFrom(...explainableFields);
const anyDay = fc.integer({ min: 0, max: 500 }).map((days) => String(date("2026-01-31").add({ days })));

test("each figure is explained as what it is, by steps that anybody can compute again", () => {
  fc.assert(
    fc.property(anyLife, anyField, anyDay, ({ terms, history }, field, day) => {
      const loan = loanOf(terms, history);
      proveRecomputes(field, stepsOf(loan, day, field), figure(loan, day, field));
    }),
    { numRuns: 400 },
  );
});

test("no step is told twice, and none takes in what was not told before it", () => {
  const plain = new Set(["rate", "periods", "parts", "from", "to"]);
  fc.assert(
    fc.property(anyLife, anyField, anyDay, ({ terms, history }, field, day) => {
      const known = new Set<string>();
      for (const { name, inputs } of stepsOf(loanOf(terms, history), day, field)) {
        expect(known.has(name), `${name} is told twice`).toBe(false);
        for (const input of inputs) expect(known.has(input.name) || plain.has(input.name), input.name).toBe(true);
        known.add(name);
      }
      expect([...known].at(-1)).toBe(field);
    }),
    { numRuns: 300 },
  );
});

test("a plan's totals say the same on every day, and so does credit", () => {
  const fixed = fc.constantFrom<ExplainableField>("total_interest", "total_repayment", "credit");
  fc.assert(
    fc.property(anyLife, fixed, anyDay, anyDay, ({ terms, history }, field, one, other) => {
      const loan = loanOf(terms, history);
      expect(stepsOf(loan, one, field)).toEqual(stepsOf(loan, other, field));
    }),
    { numRuns: 100 },
  );
});
