import { expect, test } from "vitest";
import { barsOf, type Installment } from "./loan.ts";

const instalment = (number: number, more: Partial<Installment> = {}): Installment => ({
  id: `i${number}`,
  installment_number: number,
  due_date: "2026-12-16T22:59:59.999Z",
  principal: 90,
  interest: 10,
  fees: 0,
  amount_due: 100,
  late_fee: 0,
  amount_paid: 0,
  balance: 100,
  status: "pending",
  ...more,
});

test("the largest instalment, late fee included, fills the chart", () => {
  const bars = barsOf([instalment(1, { late_fee: 100, amount_paid: 50 }), instalment(2)]);
  expect(bars).toEqual([
    { key: "i1", number: 1, paid: 25, open: 75 },
    { key: "i2", number: 2, paid: 0, open: 50 },
  ]);
});

test("an overpaid instalment is full and no more", () => {
  expect(barsOf([instalment(1, { amount_paid: 140 })])[0]).toMatchObject({ paid: 100, open: 0 });
});

test("a loan without a schedule has no bars", () => {
  expect(barsOf([])).toEqual([]);
});
