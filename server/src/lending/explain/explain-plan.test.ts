/** How a plan is explained, and what refunded orders took off it. */
import { describe, expect, test } from "vitest";
import { lived, stepsOf, told, wordsOf } from "../../../testing/lending/explained.ts";
import { naira } from "../../../testing/lending/lending.ts";
import { date, historyOf, loanOf, orderHistory } from "../../../testing/lending/loan-histories.ts";
import { createDerivation } from "./derivation.ts";
import { explainPlan } from "./explain-plan.ts";

describe("a plan", () => {
  test("with flat interest is the amount, its interest and its fee, each split with the rest at the end", () => {
    const fee = { rate: 10_000n, fixed: naira("0.01") };
    const derivation = createDerivation();
    const plan = explainPlan(derivation, lived([], { fee, amount: naira("10,000.00") }), date("2026-01-31"));
    expect(plan.partsOf(1).map(({ amount }) => amount)).toEqual([naira("3,333.33"), naira("250.00"), naira("33.33")]);
    expect(plan.partsOf(3).map(({ amount }) => amount)).toEqual([naira("3,333.34"), naira("250.00"), naira("33.35")]);
    expect(told(derivation.steps)).toEqual([
      ["amount", "10000.00"],
      ["interest_rate", "2.5"],
      ["tenure", "3"],
      ["product", "Checkout 1"],
      ["term_days", "89"],
      ["principal_part", "3333.33"],
      ["interest", "750.00"],
      ["interest_part", "250.00"],
      ["fee_share", "100.00"],
      ["fee_fixed", "0.01"],
      ["fees", "100.01"],
      ["fees_part", "33.33"],
      ["principal[3]", "3333.34"],
      ["interest[3]", "250.00"],
      ["fees[3]", "33.35"],
    ]);
  });

  test("with a reducing balance goes from period to period, and the last instalment pays the rest", () => {
    const steps = stepsOf(lived([], { method: "reducing", tenor: 2, rate: 100_000n }), "2026-01-31", "total_interest");
    expect(told(steps).slice(5)).toEqual([
      ["instalment", "34571.43"],
      ["interest[1]", "6000.00"],
      ["room[1]", "28571.43"],
      ["principal[1]", "28571.43"],
      ["owed[1]", "31428.57"],
      ["interest[2]", "3142.86"],
      ["principal[2]", "31428.57"],
      ["owed[2]", "0.00"],
      ["interest", "9142.86"],
      ["total_interest", "9142.86"],
    ]);
    expect(wordsOf(steps, "interest_rate")).toBe(
      "Interest in percent per month, on what is still owed when a period begins.",
    );
  });

  test("without a fee says so, and asks for each step once however often it is read", () => {
    const derivation = createDerivation();
    const plan = explainPlan(derivation, lived(), date("2026-01-31"));
    const [first, second] = [plan.totalRepayment(), plan.totalRepayment()];
    expect(second).toBe(first);
    expect(wordsOf(derivation.steps, "fees")).toBe("The product takes no fee for granting the loan.");
    expect(told(derivation.steps).at(-1)).toEqual(["total_repayment", "64500.00"]);
  });

  test("of a loan that has not begun tells no term, and has no instalment beyond its last", () => {
    const derivation = createDerivation();
    const terms = { ...orderHistory, tenor: 2 };
    const waiting = { ...historyOf(terms), instalments: [] };
    const plan = explainPlan(derivation, loanOf(terms, waiting, { startDate: null }), date("2026-03-31"));
    expect(derivation.steps.map(({ name }) => name)).not.toContain("term_days");
    expect(plan.instalments.map(({ dueDate }) => String(dueDate))).toEqual(["2026-04-30", "2026-05-31"]);
    expect(() => plan.partsOf(3)).toThrow("there is no instalment 3");
  });
});

describe("a refunded order", () => {
  test("takes principal off the plan, and its interest in proportion", () => {
    const steps = stepsOf(lived(["refund:2026-02-10:30,000.00"]), "2026-02-20", "total_repayment");
    expect(told(steps).slice(5)).toEqual([
      ["refund[1].principal", "30000.00"],
      ["principal_owed", "30000.00"],
      ["interest", "4500.00"],
      ["waived[1]", "750.00"],
      ["waived[2]", "750.00"],
      ["waived[3]", "750.00"],
      ["total_interest", "2250.00"],
      ["fees", "0.00"],
      ["total_repayment", "32250.00"],
    ]);
    expect(wordsOf(steps, "waived[1]")).toContain("in proportion to a refund before it fell due");
  });

  test("shrinks the parts of the instalments that it reached", () => {
    const names = stepsOf(lived(["refund:2026-02-10:30,000.00"]), "2026-02-20", "next_repayment_amount");
    expect(told(names)).toEqual(
      expect.arrayContaining([
        ["refunded[1]", "10000.00"],
        ["principal_due[1]", "10000.00"],
        ["interest_due[1]", "750.00"],
      ]),
    );
  });

  test("waives fees too, and the total of fees is told with what is left of it", () => {
    const fee = { rate: 0n, fixed: naira("300.00") };
    const steps = stepsOf(lived(["refund:2026-02-10:30,000.00"], { fee }), "2026-02-20", "total_repayment");
    expect(told(steps)).toEqual(
      expect.arrayContaining([
        ["waived_fees[1]", "50.00"],
        ["total_fees", "150.00"],
      ]),
    );
  });

  test("pays costs that had fallen due with what is beyond all principal", () => {
    const steps = stepsOf(
      lived(["pay:2026-02-10:1,500.00", "late:1:200.00", "refund:2026-03-10:60,000.00"]),
      "2026-03-10",
      "balance",
    );
    expect(told(steps).at(-1)).toEqual(["balance", "200.00"]);
    const paid = stepsOf(
      lived(["pay:2026-02-28:10,000.00", "late:1:115.00", "refund:2026-03-10:60,000.00"]),
      "2026-03-10",
      "balance",
    );
    expect(wordsOf(paid, "refund[1].paid")).toBe("What of it paid costs that had fallen due.");
  });

  test("without one, what a settlement waived says that the period had not begun", () => {
    const steps = stepsOf(lived(["pay:2026-02-10:64,500.00"], { method: "reducing" }), "2026-02-20", "total_interest");
    expect(wordsOf(steps, "waived[3]")).toBe("Waived: period 3 had not begun when the loan was settled.");
  });
});
