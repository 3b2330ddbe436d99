/** Recomputes every step of an explanation from its own words and numbers, with arithmetic of its own. */
import { expect, test } from "vitest";
import { createTestLending, naira, publish, type TestLender } from "../../../testing/lending/lending.ts";
import { proveRecomputes } from "../../../testing/lending/recompute.ts";
import { cancelLoanAccount } from "../account/move-loan-account.ts";
import { reduceLoanAccount } from "../collect/reduce-loan-account.ts";
import { refundCredit } from "../collect/refund-credit.ts";
import { reverseRepayment } from "../collect/reverse-repayment.ts";
import { type ExplainableField, type Explanation, explain, explainableFields } from "./explain.ts";

const lender = await createTestLending();

async function explainAll(from: TestLender, accountId: string): Promise<Record<ExplainableField, Explanation>> {
  const explained: [string, Explanation][] = [];
  for (const field of explainableFields) {
    const explanation = await from.within((tx) => explain(tx, accountId, field));
    proveRecomputes(field, explanation.steps, explanation.value);
    explained.push([field, explanation]);
  }
  return Object.fromEntries(explained) as Record<ExplainableField, Explanation>;
}

test("a late flat loan's figures recompute from rates, days, rounding and repayments", async () => {
  const { id } = await lender.lend({ amount: naira("100,000.01"), tenor: 3, tenorType: "monthly" });
  await lender.advanceTo("2026-02-28T09:00:00Z");
  await lender.repay(id, naira("10,000.00"), { channel: "cash" });
  await lender.advanceTo("2026-04-05T09:00:00Z");
  const { repayment } = await lender.repay(id, naira("5,000.00"));
  await lender.within((tx) =>
    reverseRepayment(tx, { accountId: id, repaymentId: repayment.id, reason: "wrong loan", announce: lender.announce }),
  );
  const explained = await explainAll(lender, id);
  expect(explained.total_interest.value).toBe(naira("12,000.00"));
  expect(explained.balance.value).toBe(naira("102,746.67"));
  expect(explained.to_repay.steps.filter(({ operation }) => operation === "days").map(({ result }) => result)).toEqual([
    "89",
    "36",
    "5",
  ]);
  await lender.verify();
});

test("a reducing balance is explained period by period, and what a settlement waived", async () => {
  const product = await publish(lender, {
    interestMethod: "reducing",
    fee: { rate: 15_000n, fixed: naira("99.99") },
  });
  const { id } = await lender.lend({ amount: naira("77,777.77"), tenor: 6, tenorType: "monthly" }, product);
  await explainAll(lender, id);
  await lender.repay(id, (await lender.read(id)).figures.nextRepaymentAmount);
  await explainAll(lender, id);
  await lender.repay(id, naira("500,000.00"));
  const { total_interest, balance } = await explainAll(lender, id);
  expect(total_interest.steps.filter(({ name }) => name.startsWith("waived["))).toHaveLength(5);
  expect(total_interest.value).toBe(naira("3,111.11"));
  expect(balance.value).toBe(0n);
});

test("the postings told are those of the loan, balanced, and come to what the loan owes", async () => {
  const { id } = await lender.lend({ amount: naira("50,000.00"), tenor: 4, tenorType: "weekly" });
  await lender.advanceTo("2026-04-13T09:00:00Z");
  await lender.repay(id, naira("13,000.00"));
  const { postings, value } = await lender.within((tx) => explain(tx, id, "balance"));
  expect(postings.map(({ kind }) => kind)).toEqual(["loan.disbursed", "loan.interest_due", "loan.repayment"]);
  const totals = new Map<string, bigint>();
  for (const { legs } of postings) {
    expect(legs.reduce((sum, { amount }) => sum + amount, 0n)).toBe(0n);
    for (const { purpose, amount } of legs) totals.set(purpose, (totals.get(purpose) ?? 0n) + amount);
  }
  const at = (purpose: string): bigint => totals.get(purpose) ?? 0n;
  // Owed: what the books show as owed, and the interest of three weeks to come less what was paid of it.
  const toCome = naira("1,500.00") - at("unearned_loan_income");
  expect(value).toBe(-at("loan_book") - at("interest_receivable") - at("loan_fees_receivable") + toCome);
  expect(at("wallet")).toBe(-naira("13,000.00"));
});

test("a pending loan is explained as if it started today, a cancelled one as owing nothing", async () => {
  const pending = await lender.open({ amount: naira("10,000.00"), tenor: 7, tenorType: "daily" });
  const { total_repayment } = await explainAll(lender, pending.id);
  expect(total_repayment.value).toBe(naira("10,140.00"));
  await lender.within((tx) => cancelLoanAccount(tx, { accountId: pending.id, announce: lender.announce }));
  const cancelled = await explainAll(lender, pending.id);
  expect([cancelled.balance.value, cancelled.to_repay.value, cancelled.total_interest.value]).toEqual([
    0n,
    0n,
    naira("140.00"),
  ]);
});

test("a refunded loan is explained with what each refund took, waived and paid", async () => {
  const product = await publish(lender, { code: "shop", fee: { rate: 15_000n, fixed: naira("99.99") } });
  const { id } = await lender.lend({ amount: naira("77,777.77"), tenor: 6, tenorType: "monthly" }, product);
  const reduce = (amount: string) =>
    lender.within((tx) => {
      const named = { reference: `r-${amount}`, reason: "returned", announce: lender.announce };
      return reduceLoanAccount(tx, { accountId: id, amount: naira(amount), ...named });
    });
  await reduce("11,111.11");
  await explainAll(lender, id);
  await lender.repay(id, naira("10,000.00"));
  await lender.clock.advance(lender.environmentId, { days: 70 });
  await explainAll(lender, id);
  await reduce("66,666.66");
  const { balance, total_repayment } = await explainAll(lender, id);
  const names = total_repayment.steps.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      "refund[1].principal",
      "refund[2].principal",
      "principal_owed",
      "waived[6]",
      "waived_fees[6]",
    ]),
  );
  // More was refunded than principal was left, and the rest paid costs that had fallen due.
  expect(balance.steps.map(({ name }) => name)).toContain("refund[2].paid");
  expect(balance.value).toBe((await lender.read(id)).figures.balance);
  expect(balance.postings.filter(({ kind }) => kind === "loan.reduced")).toHaveLength(2);
  await lender.verify();
});

test("credit is explained by what of each payment and refunded order was beyond the loan", async () => {
  const { id } = await lender.lend({ amount: naira("30,000.00"), tenor: 3, tenorType: "monthly" });
  expect((await explainAll(lender, id)).credit.value).toBe(0n);
  await lender.repay(id, naira("34,000.00"));
  const order = { accountId: id, amount: naira("1,000.00"), reference: "returned", reason: "Returned" };
  await lender.within((tx) => reduceLoanAccount(tx, { ...order, announce: lender.announce }));
  const back = { accountId: id, amount: naira("1,150.00"), reference: "back", channel: "wallet" } as const;
  await lender.within((tx) => refundCredit(tx, { ...back, announce: lender.announce }));
  const { credit } = await explainAll(lender, id);
  // The refunded order bore 1,120.00 of it: its 1,000.00, and 120.00 of interest that was prepaid for them.
  expect(credit.value).toBe(naira("370.00"));
  expect(credit.steps.map(({ name, result }) => [name, result])).toEqual([
    ["repayment[1]", "34000.00"],
    ["repayment[1].taken", "33600.00"],
    ["repayment[1].refunded", "30.00"],
    ["repayment[1].credit", "370.00"],
    ["credit", "370.00"],
  ]);
});

test("credit that a refunded order set free is explained, and so is what is owed again after a bounce", async () => {
  const { id } = await lender.lend({ amount: naira("30,000.00"), tenor: 3, tenorType: "monthly" });
  const { repayment: cash } = await lender.repay(id, naira("1,000.00"), { channel: "cash" });
  const { repayment } = await lender.repay(id, naira("33,600.00"));
  const order = { accountId: id, amount: naira("1,000.00"), reference: "set free", reason: "Returned" };
  await lender.within((tx) => reduceLoanAccount(tx, { ...order, announce: lender.announce }));
  const { credit } = await explainAll(lender, id);
  expect(credit.steps.map(({ name, result }) => [name, result])).toEqual(
    expect.arrayContaining([
      ["refund[1].taken", "-120.00"],
      ["refund[1].credit", "1120.00"],
      ["credit", "2120.00"],
    ]),
  );
  const back = { accountId: id, amount: naira("2,120.00"), reference: "all of it", channel: "wallet" } as const;
  await lender.within((tx) => refundCredit(tx, { ...back, announce: lender.announce }));
  await lender.within((tx) =>
    reverseRepayment(tx, { accountId: id, repaymentId: cash.id, reason: "A wrong entry", announce: lender.announce }),
  );
  const { balance } = await explainAll(lender, id);
  expect(balance.value).toBe(naira("1,000.00"));
  expect(balance.steps).toContainEqual(expect.objectContaining({ name: "owed_again[all of it]", result: "1000.00" }));
  const undo = { accountId: id, repaymentId: repayment.id, reason: "no", announce: lender.announce };
  await expect(lender.within((tx) => reverseRepayment(tx, undo))).rejects.toMatchObject({ code: "repayment_refunded" });
  await lender.verify();
});
