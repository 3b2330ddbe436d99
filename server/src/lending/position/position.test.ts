import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { naira } from "../../../testing/lending/lending.ts";
import { type Kobo, kobo, zeroKobo } from "../../money/kobo.ts";
import { startOfLagosDay } from "../../platform/time/lagos-date.ts";
import type { InterestMethod, LoanProduct } from "../pricing/product.ts";
import { standardProduct } from "../pricing/products.ts";
import { earlySettlement } from "./early-settlement.ts";
import { ageing, figuresOf } from "./figures.ts";
import { parts, type ScheduledInstalment, scheduled, unpaid } from "./instalment.ts";
import { type LoanHistory, paidParts, positionOf } from "./position.ts";
import type { CreditRefund, Repayment } from "./repayment.ts";

const date = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);
const start = date("2026-01-31");

function historyOf(method: InterestMethod, amount: Kobo, tenor: number, rate = 40_000n): LoanHistory {
  const tenors = { monthly: { shortest: 1, longest: 60, rate } };
  const product: LoanProduct = { ...standardProduct, id: "p", version: 1, interestMethod: method, tenors };
  const instalments = scheduled(product, { amount, tenor, tenorType: "monthly" }, start);
  return { interestMethod: method, instalments, repayments: [], reductions: [], refunds: [], writtenOffAt: null };
}

function repayment(sequence: number, amount: Kobo, day: string | Temporal.PlainDate): Repayment {
  return {
    id: `r${sequence}`,
    accountId: "a",
    number: sequence,
    sequence,
    reference: `r${sequence}`,
    amount,
    channel: "cash",
    walletId: null,
    reversedAt: null,
    reversalReason: null,
    recordedAt: startOfLagosDay(date(String(day))),
  };
}

function refund(sequence: number, amount: Kobo): CreditRefund {
  const at = startOfLagosDay(date("2026-06-01"));
  const named = { id: `f${sequence}`, accountId: "a", sequence, reference: `f${sequence}`, amount };
  return { ...named, channel: "cash", walletId: null, repaymentId: null, refundedAt: at };
}

const withLateFee = (instalments: readonly ScheduledInstalment[], number: number, lateFee: Kobo, lateFeeAt: number) =>
  instalments.map((instalment) => (instalment.number === number ? { ...instalment, lateFee, lateFeeAt } : instalment));

describe("allocation", () => {
  const history = historyOf("flat", naira("3,000.00"), 3);

  test("pays interest before principal, and the earliest instalment first", () => {
    const { instalments, allocations } = positionOf({
      ...history,
      repayments: [repayment(2, naira("1,200.00"), "2026-02-10")],
    });
    expect(instalments.map(({ paid }) => [paid.interest, paid.principal])).toEqual([
      [naira("120.00"), naira("1,000.00")],
      [naira("80.00"), 0n],
      [0n, 0n],
    ]);
    expect(allocations.get("r2")).toMatchObject({
      interest: naira("200.00"),
      principal: naira("1,000.00"),
      credit: 0n,
    });
  });

  test("a late fee comes first, but takes nothing from money that came before it", () => {
    const instalments = withLateFee(history.instalments, 1, naira("100.00"), 3);
    const repayments = [repayment(2, naira("500.00"), "2026-02-10"), repayment(4, naira("150.00"), "2026-03-10")];
    const { allocations } = positionOf({ ...history, instalments, repayments });
    expect(allocations.get("r2")).toMatchObject({ lateFee: 0n, interest: naira("120.00"), principal: naira("380.00") });
    expect(allocations.get("r4")).toMatchObject({ lateFee: naira("100.00"), interest: 0n, principal: naira("50.00") });
  });

  test("what is beyond the loan is credit, and a refund takes from it", () => {
    const repayments = [repayment(2, naira("4,000.00"), "2026-02-10")];
    const position = positionOf({ ...history, repayments, refunds: [refund(3, naira("140.00"))] });
    expect(position.credit).toBe(naira("500.00"));
    expect(position.closedAt).not.toBeNull();
    expect(position.allocations.get("r2")).toMatchObject({ credit: naira("500.00"), refunded: naira("140.00") });
  });

  test("a refund of credit that a reversal then took away is taken from the newest money before it", () => {
    const first = repayment(2, naira("2,000.00"), "2026-02-10");
    const second = repayment(3, naira("2,000.00"), "2026-02-11");
    const third = repayment(6, naira("100.00"), "2026-02-12");
    const reversed = { ...first, reversedAt: new Date(), reversalReason: "bounced" };
    const refunds = [refund(4, naira("640.00"))];
    const position = positionOf({ ...history, repayments: [reversed, second, third], refunds });
    expect(position.credit).toBe(0n);
    expect(position.allocations.get("r3")?.refunded).toBe(naira("640.00"));
    expect(position.allocations.get("r6")?.refunded).toBe(0n);
    expect(paidParts(position).principal + paidParts(position).interest).toBe(naira("1,460.00"));
  });

  test("money after a write-off waits in suspense", () => {
    const repayments = [repayment(2, naira("100.00"), "2026-02-10"), repayment(9, naira("70.00"), "2026-09-10")];
    const position = positionOf({ ...history, repayments, writtenOffAt: 8 });
    expect(position.suspense).toBe(naira("70.00"));
    expect(figuresOf(position.instalments, 1, date("2026-09-10")).balance).toBe(naira("3,260.00"));
  });
});

describe("early settlement", () => {
  test("waives nothing of flat interest", () => {
    const { instalments } = positionOf(historyOf("flat", naira("3,000.00"), 3));
    expect(earlySettlement(instalments, "flat", start)).toMatchObject({
      amount: naira("3,360.00"),
      waivedInterest: 0n,
    });
  });

  test.each([
    ["2026-01-31", 1],
    ["2026-02-28", 1],
    ["2026-03-01", 2],
    ["2026-03-31", 2],
    ["2026-04-01", 3],
  ])("with a reducing balance costs on %s the interest of %d periods", (day, begun) => {
    const history = historyOf("reducing", naira("3,000.00"), 3);
    const { instalments } = positionOf(history);
    const interest = instalments.slice(0, begun).reduce((sum, instalment) => sum + instalment.interest, 0n);
    const { amount, waived } = earlySettlement(instalments, "reducing", date(day));
    expect(amount).toBe(naira("3,000.00") + interest);
    expect(waived.filter((each) => each !== 0n)).toHaveLength(3 - begun);
  });

  test("turns interest that was prepaid for later periods into principal", () => {
    const history = historyOf("reducing", naira("3,000.00"), 3);
    const repayments = [repayment(2, naira("2,500.00"), "2026-02-10"), repayment(3, naira("620.00"), "2026-02-10")];
    const position = positionOf({ ...history, repayments });
    expect(position.closedAt).not.toBeNull();
    expect(position.credit).toBe(0n);
    expect(paidParts(position)).toMatchObject({ principal: naira("3,000.00"), interest: naira("120.00") });
    expect((position.allocations.get("r3")?.interest ?? 0n) < 0n).toBe(true);
  });
});

const anyHistory = fc
  .record({
    method: fc.constantFrom<InterestMethod>("flat", "reducing"),
    amount: fc.bigInt(100_000n, 10_000_000n),
    tenor: fc.integer({ min: 1, max: 12 }),
    lateFees: fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 3 }),
    /** In thousandths of what is owed. */
    money: fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 8 }),
    daysLater: fc.integer({ min: 0, max: 400 }),
  })
  .map(({ method, amount, tenor, lateFees, money, daysLater }) => {
    const history = historyOf(method, kobo(amount), tenor);
    const day = start.add({ days: daysLater });
    const instalments = lateFees.reduce<readonly ScheduledInstalment[]>(
      (charged, number) => withLateFee(charged, number, kobo(10_000n), 1),
      history.instalments,
    );
    const owed = figuresOf(positionOf({ ...history, instalments }).instalments, 1, day).balance;
    const amounts = money.map((thousandths) => kobo((owed * BigInt(thousandths)) / 1_000n + 1n));
    return { history: { ...history, instalments }, amounts, day };
  });

test("any order of the same repayments at one moment ends at the same place", () => {
  fc.assert(
    fc.property(anyHistory, fc.nat(), ({ history, amounts, day }, turn) => {
      const inOrder = (order: readonly Kobo[]) =>
        positionOf({ ...history, repayments: order.map((amount, place) => repayment(place + 2, amount, day)) });
      const turned = [...amounts.slice(turn % amounts.length), ...amounts.slice(0, turn % amounts.length)];
      const straight = inOrder(amounts);
      for (const other of [inOrder(turned), inOrder([...amounts].reverse())]) {
        expect(other.instalments).toEqual(straight.instalments);
        expect([other.credit, other.closedAt]).toEqual([straight.credit, straight.closedAt]);
      }
    }),
    { numRuns: 300 },
  );
});

test("no part is ever paid beyond what is due, no balance is negative, and no kobo is lost", () => {
  fc.assert(
    fc.property(anyHistory, ({ history, amounts, day }) => {
      const repayments = amounts.map((amount, place) => repayment(place + 2, amount, day.add({ days: place * 20 })));
      const position = positionOf({ ...history, repayments });
      const figures = figuresOf(position.instalments, 1, day);
      expect(figures.balance >= 0n && position.credit >= 0n).toBe(true);
      for (const instalment of position.instalments) {
        expect(unpaid(instalment) >= 0n).toBe(true);
        for (const part of parts) expect(instalment.paid[part] >= 0n).toBe(true);
      }
      expect(figures.paid + position.credit).toBe(amounts.reduce<bigint>((sum, amount) => sum + amount, 0n));
      expect(figures.balance === 0n).toBe(position.closedAt !== null);
    }),
    { numRuns: 300 },
  );
});

test("paying what settles a loan closes it, on any day; a kobo less does not", () => {
  fc.assert(
    fc.property(anyHistory, ({ history, day }) => {
      const { instalments } = positionOf(history);
      const { amount } = earlySettlement(instalments, history.interestMethod, day);
      const after = (paid: bigint) => positionOf({ ...history, repayments: [repayment(2, kobo(paid), day)] });
      expect(figuresOf(after(amount).instalments, 1, day).balance).toBe(0n);
      expect(after(amount)).toMatchObject({ credit: zeroKobo, closedAt: startOfLagosDay(day) });
      expect(after(amount - 1n).closedAt).toBeNull();
    }),
    { numRuns: 200 },
  );
});

test("a reversed repayment leaves the loan as if it had never been made", () => {
  fc.assert(
    fc.property(anyHistory, fc.nat(), ({ history, amounts, day }, pick) => {
      const repayments = amounts.map((amount, place) => repayment(place + 2, amount, day));
      const gone = pick % repayments.length;
      const reversed = repayments.map((each, place) =>
        place === gone ? { ...each, reversedAt: new Date(), reversalReason: "bounced" } : each,
      );
      const { allocations: _, ...without } = positionOf({
        ...history,
        repayments: repayments.filter((__, place) => place !== gone),
      });
      expect(positionOf({ ...history, repayments: reversed })).toMatchObject(without);
    }),
    { numRuns: 100 },
  );
});

describe("ageing", () => {
  const { instalments } = positionOf(historyOf("flat", naira("3,000.00"), 3));

  test.each([
    ["2026-02-27", 0, "current", []],
    ["2026-02-28", 0, "current", []],
    ["2026-03-01", 1, "1-30", []],
    ["2026-03-02", 2, "1-30", [1]],
    ["2026-03-30", 30, "1-30", [1]],
    ["2026-03-31", 31, "31-60", [1]],
    ["2026-04-02", 33, "31-60", [1, 2]],
    ["2026-04-29", 60, "31-60", [1, 2]],
    ["2026-04-30", 61, "61-90", [1, 2]],
    ["2026-05-29", 90, "61-90", [1, 2, 3]],
    ["2026-05-30", 91, "over_90", [1, 2, 3]],
  ])("on %s an unpaid loan is %d days late: %s, overdue %j", (day, daysPastDue, bucket, overdueInstalments) => {
    expect(ageing(instalments, 1, date(day))).toMatchObject({ daysPastDue, bucket, overdueInstalments });
  });

  test("counts from the earliest instalment that is open", () => {
    const history = historyOf("flat", naira("3,000.00"), 3);
    const repayments = [repayment(2, naira("1,120.00"), "2026-02-10")];
    const paid = positionOf({ ...history, repayments }).instalments;
    expect(ageing(paid, 1, date("2026-04-03"))).toMatchObject({
      daysPastDue: 3,
      overdueInstalments: [2],
      overdueAmount: naira("1,120.00"),
    });
  });

  test("what is asked for is everything overdue and the earliest open instalment, once", () => {
    const toRepay = (day: string): Kobo => figuresOf(instalments, 1, date(day)).toRepay;
    expect(toRepay("2026-02-01")).toBe(naira("1,120.00"));
    expect(toRepay("2026-03-02")).toBe(naira("1,120.00"));
    expect(toRepay("2026-04-02")).toBe(naira("2,240.00"));
  });
});
