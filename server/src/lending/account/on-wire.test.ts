import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { naira } from "../../../testing/lending/lending.ts";
import { zeroKobo } from "../../money/kobo.ts";
import { lagosDate } from "../../platform/time/lagos-date.ts";
import { presentRepayment } from "../collect/repayment-on-wire.ts";
import type { RepaymentView } from "./read-loan-account.ts";
import { presentDueDate, presentPlanned } from "./schedule-on-wire.ts";

describe("a due date on the wire", () => {
  test("is the last moment of its day in Lagos, on which the date in UTC is the same", () => {
    expect(presentDueDate(Temporal.PlainDate.from("2026-12-02"))).toBe("2026-12-02T22:59:59.999Z");
    const day = fc.integer({ min: 0, max: 20_000 }).map((days) => Temporal.PlainDate.from("2000-01-01").add({ days }));
    fc.assert(
      fc.property(day, (date) => {
        const shown = presentDueDate(date);
        expect(shown.slice(0, 10)).toBe(date.toString());
        expect(lagosDate(new Date(shown)).equals(date)).toBe(true);
        expect(lagosDate(new Date(Date.parse(shown) + 1)).equals(date)).toBe(false);
      }),
    );
  });
});

test("a planned instalment is shown with nothing paid, and its parts add up", () => {
  const planned = {
    number: 2,
    dueDate: Temporal.PlainDate.from("2026-12-02"),
    principal: naira("16,666.66"),
    interest: naira("2,000.00"),
    fees: naira("0.01"),
  };
  expect(presentPlanned(planned)).toEqual({
    installment_number: 2,
    due_date: "2026-12-02T22:59:59.999Z",
    principal: 16_666.66,
    interest: 2_000,
    fees: 0.01,
    amount_due: 18_666.67,
    late_fee: 0,
    amount_paid: 0,
    balance: 18_666.67,
    status: "pending",
    paid_at: null,
  });
});

describe("a repayment on the wire", () => {
  const at = new Date("2026-11-02T08:00:00.000Z");
  const repayment: RepaymentView = {
    id: "r1",
    accountId: "a1",
    number: 1,
    sequence: 2,
    reference: "repay-1",
    channel: "bank_transfer",
    walletId: "w1",
    amount: naira("10,000.00"),
    recordedAt: at,
    reversedAt: null,
    reversalReason: null,
    allocation: {
      lateFee: naira("100.00"),
      fees: naira("10.00"),
      interest: naira("2,000.00"),
      principal: naira("7,000.00"),
      credit: naira("890.00"),
      suspense: zeroKobo,
      refunded: zeroKobo,
    },
  };

  test("says what it paid, with the late fee among the fees", () => {
    expect(presentRepayment("l1", repayment)).toEqual({
      id: "r1",
      loan_id: "l1",
      reference: "repay-1",
      channel: "bank_transfer",
      amount: 10_000,
      allocation: { fees: 110, interest: 2_000, principal: 7_000, credit: 890, suspense: 0 },
      refunded: 0,
      status: "successful",
      created_at: at.toISOString(),
      reversed_at: null,
      reversal_reason: null,
    });
  });

  test("that was reversed paid nothing, and says why", () => {
    const reversed = { ...repayment, reversedAt: at, reversalReason: "The transfer bounced", allocation: null };
    expect(presentRepayment("l1", reversed)).toMatchObject({
      amount: 10_000,
      allocation: { fees: 0, interest: 0, principal: 0, credit: 0, suspense: 0 },
      status: "reversed",
      reversed_at: at.toISOString(),
      reversal_reason: "The transfer bounced",
    });
  });

  test("does not say which wallet paid, nor what the account is called inside", () => {
    const shown = JSON.stringify(presentRepayment("l1", repayment));
    expect(shown).not.toMatch(/w1|a1/);
  });
});
