/** How what is owed is explained, and what was paid beyond it. */
import { describe, expect, test } from "vitest";
import { lived, stepsOf, told, wordsOf } from "../../../testing/lending/explained.ts";
import { naira } from "../../../testing/lending/lending.ts";
import { loanOf, orderHistory } from "../../../testing/lending/loan-histories.ts";
import { proveRecomputes } from "../../../testing/lending/recompute.ts";

describe("what is owed", () => {
  test("of the next instalment is its parts less what was paid of them", () => {
    const steps = stepsOf(lived(["pay:2026-02-10:1,000.00"]), "2026-02-20", "next_repayment_amount");
    expect(told(steps).slice(5)).toEqual([
      ["days_past_due[1]", "-8"],
      ["principal_part", "20000.00"],
      ["interest", "4500.00"],
      ["interest_part", "1500.00"],
      ["fees", "0.00"],
      ["owed_of[1]", "21500.00"],
      ["paid_of[1]", "1000.00"],
      ["unpaid_of[1]", "20500.00"],
      ["next_repayment_amount", "20500.00"],
    ]);
  });

  test.each([
    ["2026-02-28", "is open and not overdue"],
    ["2026-03-01", "is open and not overdue"],
    ["2026-03-02", "is overdue"],
  ])("on %s of an instalment that is due on 28 February, with a day of grace: it %s", (day, words) => {
    expect(wordsOf(stepsOf(lived(), day, "to_repay"), "days_past_due[1]")).toContain(words);
  });

  test("today is everything overdue and the next, each once", () => {
    const names = stepsOf(lived(), "2026-04-02", "to_repay").map(({ name }) => name);
    expect(names.filter((name) => name.startsWith("unpaid_of"))).toEqual(["unpaid_of[1]", "unpaid_of[2]"]);
  });

  test("is nothing once all is paid, and no instalment is named", () => {
    const steps = stepsOf(lived(["pay:2026-02-10:64,500.00"]), "2026-02-20", "next_repayment_amount");
    expect(told(steps).at(-1)).toEqual(["next_repayment_amount", "0.00"]);
    expect(wordsOf(steps, "next_repayment_amount")).toBe("No instalment is open.");
  });

  test.each([
    ["a part of the instalment", orderHistory.amount, "215.00", "215.00"],
    ["at least the smallest", naira("6,000.00"), "21.50", "100.00"],
  ])("includes the late fee, %s", (_case, amount, share, fee) => {
    const steps = stepsOf(lived([`late:1:${fee}`], { amount }), "2026-03-10", "balance");
    expect(told(steps)).toEqual(
      expect.arrayContaining([
        ["late_fee_share[1]", share],
        ["late_fee_minimum", "100.00"],
        ["late_fee[1]", fee],
      ]),
    );
    expect(wordsOf(steps, "owed_in_all")).toBe("The total repayment and all late fees.");
  });

  test("has a late fee as it was charged where the instalment has changed since", () => {
    const loan = lived(["late:1:215.00", "refund:2026-03-10:60,000.00"]);
    const steps = stepsOf(loan, "2026-03-10", "balance");
    expect(wordsOf(steps, "late_fee[1]")).toContain("on what it was before it was refunded");
    expect(steps.map(({ name }) => name)).not.toContain("late_fee_share[1]");
  });

  test("is less what repayments paid, of which credit, refunds and suspense are not the loan's", () => {
    const steps = stepsOf(lived(["pay:2026-02-10:70,000.00", "back:2026-02-11:500.00"]), "2026-02-20", "balance");
    expect(told(steps).slice(-6)).toEqual([
      ["owed_in_all", "64500.00"],
      ["repayment[2]", "70000.00"],
      ["repayment[2].credit", "5000.00"],
      ["repayment[2].refunded", "500.00"],
      ["repayment[2].taken", "64500.00"],
      ["balance", "0.00"],
    ]);
  });

  test("grows by credit that was given back and that a reversed repayment had made", () => {
    const { history, account } = lived([
      "pay:2026-02-10:1,000.00",
      "pay:2026-02-10:64,500.00",
      "refund:2026-02-11:1,000.00",
      "back:2026-02-12:2,075.00",
    ]);
    const bounced = { reversedAt: new Date(), reversalReason: "bounced" };
    const repayments = history.repayments.map((each) => (each.number === 2 ? { ...each, ...bounced } : each));
    const after = loanOf(orderHistory, { ...history, repayments }, account);
    const steps = stepsOf(after, "2026-02-20", "balance");
    expect(told(steps)).toContainEqual(["owed_again[5]", "1000.00"]);
    expect(wordsOf(steps, "owed_in_all")).toBe("The total repayment and all late fees, and what is owed again.");
    expect(steps.map(({ name }) => name)).not.toContain("repayment[2]");
    proveRecomputes("balance", steps, naira("1,000.00"));
  });
});

describe("credit", () => {
  test("is nothing in a single step where nobody paid too much", () => {
    expect(told(stepsOf(lived(["pay:2026-02-10:1,000.00"]), "2026-02-20", "credit"))).toEqual([["credit", "0.00"]]);
  });

  test("is what of each payment the loan did not take, less what was given back", () => {
    const steps = stepsOf(lived(["pay:2026-02-10:70,000.00", "back:2026-02-11:500.00"]), "2026-02-20", "credit");
    expect(told(steps)).toEqual([
      ["repayment[2]", "70000.00"],
      ["repayment[2].taken", "64500.00"],
      ["repayment[2].refunded", "500.00"],
      ["repayment[2].credit", "5000.00"],
      ["credit", "5000.00"],
    ]);
    expect(wordsOf(steps, "repayment[2]")).toBe("Repayment 2, reference 2, by cash.");
  });

  test("of a refund is told with what it set free", () => {
    const paid = "pay:2026-02-10:64,500.00";
    const freed = stepsOf(lived([paid, "refund:2026-02-11:6,000.00"]), "2026-02-20", "credit");
    expect(told(freed)).toEqual([
      ["refund[1]", "6000.00"],
      ["refund[1].taken", "-450.00"],
      ["refund[1].credit", "6450.00"],
      ["credit", "6450.00"],
    ]);
    expect(wordsOf(freed, "refund[1].taken")).toContain("less what was prepaid");
  });
});
