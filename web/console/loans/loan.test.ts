import { expect, test } from "vitest";
import { askedNow, barsOf, type Installment, nextDueOf, overdueOf, rowsInBrief } from "./loan.ts";

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
    { key: "i1", number: 1, paid: 25, open: 75, late: false },
    { key: "i2", number: 2, paid: 0, open: 50, late: false },
  ]);
});

test("an overpaid instalment is full and no more", () => {
  expect(barsOf([instalment(1, { amount_paid: 140 })])[0]).toMatchObject({ paid: 100, open: 0 });
});

test("a loan without a schedule has no bars", () => {
  expect(barsOf([])).toEqual([]);
});

test("what is overdue is summed to the kobo, and asked for before what is due next", () => {
  const schedule = [
    instalment(1, { status: "paid", balance: 0 }),
    instalment(2, { status: "overdue", balance: 0.1, due_date: "2026-12-01T00:00:00.000Z" }),
    instalment(3, { status: "overdue", balance: 0.2 }),
    instalment(4, { balance: 70 }),
  ];
  expect(overdueOf(schedule)).toEqual({ count: 2, sum: 0.3, since: "2026-12-01T00:00:00.000Z" });
  expect(nextDueOf(schedule)?.id).toBe("i4");
  expect(askedNow(schedule)).toBe(0.3);
  expect(askedNow(schedule.slice(3))).toBe(70);
  expect(askedNow(schedule.slice(0, 1))).toBe(0);
});

const long = (paidCount: number) =>
  Array.from({ length: 36 }, (_, at) => instalment(at + 1, at < paidCount ? { status: "paid", balance: 0 } : {}));

test.each([
  [0, 1, 12],
  [10, 10, 21],
  [35, 25, 36],
  [36, 1, 12],
])("of 36 rows, %i of them paid, the brief schedule has %i to %i", (paidCount, first, last) => {
  const rows = rowsInBrief(long(paidCount));
  expect([rows[0]?.installment_number, rows.at(-1)?.installment_number]).toEqual([first, last]);
});

test("a schedule of twelve rows is not folded", () => {
  expect(rowsInBrief(long(0).slice(0, 12))).toHaveLength(12);
});
