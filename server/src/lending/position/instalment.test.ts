import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { naira } from "../../../testing/lending/lending.ts";
import { type Kobo, kobo, zeroKobo } from "../../money/kobo.ts";
import { ageing, asked, figuresOf, withoutDebt } from "./figures.ts";
import {
  addParts,
  dueParts,
  type InstalmentPosition,
  isOverdue,
  lastDayOfGrace,
  noParts,
  type Parts,
  subtractParts,
  sumParts,
  unpaid,
  untouched,
} from "./instalment.ts";

const date = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);
const due = date("2026-11-30");

function instalment(changes: Partial<InstalmentPosition> = {}): InstalmentPosition {
  const planned = { number: 1, dueDate: due, principal: naira("1,000.00"), interest: naira("40.00") };
  return { ...untouched({ ...planned, fees: naira("10.00"), lateFee: zeroKobo, lateFeeAt: null }), ...changes };
}
const paid = (parts: Partial<Parts>): Parts => ({ ...noParts, ...parts });
const wholly = instalment({
  paid: paid({ principal: naira("1,000.00"), interest: naira("40.00"), fees: naira("10.00") }),
});

describe("what is owed of an instalment", () => {
  test("is principal, interest and fees, and a late fee once there is one", () => {
    expect(unpaid(instalment())).toBe(naira("1,050.00"));
    expect(unpaid(instalment({ lateFee: naira("100.00"), lateFeeAt: 3 }))).toBe(naira("1,150.00"));
  });

  test("is less by what was waived and by what refunds took off the plan", () => {
    const lighter = instalment({
      waivedInterest: naira("15.00"),
      waivedFees: naira("4.00"),
      reducedPrincipal: naira("250.00"),
    });
    expect(dueParts(lighter)).toEqual({
      lateFee: 0n,
      fees: naira("6.00"),
      interest: naira("25.00"),
      principal: naira("750.00"),
    });
    expect(unpaid(lighter)).toBe(naira("781.00"));
  });

  test("is nothing when it is paid, and the late fee that came afterwards is owed again", () => {
    expect(unpaid(wholly)).toBe(0n);
    expect(unpaid({ ...wholly, lateFee: naira("100.00") })).toBe(naira("100.00"));
  });

  test("adds up: what is taken from parts and added again is what it was", () => {
    const amounts = fc.bigInt({ min: 0n, max: 10n ** 12n }).map(kobo);
    const parts = fc.record({ lateFee: amounts, fees: amounts, interest: amounts, principal: amounts });
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        expect(subtractParts(addParts(one, other), other)).toEqual(one);
        expect(sumParts(addParts(one, other))).toBe(sumParts(one) + sumParts(other));
      }),
    );
  });
});

describe("an instalment is overdue", () => {
  test.each([
    [0, "2026-11-30", false],
    [0, "2026-12-01", true],
    [1, "2026-12-01", false],
    [1, "2026-12-02", true],
    [7, "2026-12-07", false],
    [7, "2026-12-08", true],
    [30, "2026-12-30", false],
    [30, "2026-12-31", true],
  ])("with %i days of grace on %s: %s", (graceDays, today, overdue) => {
    expect(isOverdue(instalment(), graceDays, date(today))).toBe(overdue);
    expect(due.until(lastDayOfGrace(instalment(), graceDays)).days).toBe(graceDays);
  });

  test("never once it is paid, and as long as a kobo is missing", () => {
    const today = date("2027-11-30");
    expect(isOverdue(wholly, 1, today)).toBe(false);
    const short = { ...wholly, paid: { ...wholly.paid, principal: naira("999.99") } };
    expect(isOverdue(short, 1, today)).toBe(true);
  });
});

describe("how late a loan is", () => {
  const plan = ["2026-11-30", "2026-12-30", "2027-01-30"].map((day, place) =>
    instalment({ number: place + 1, dueDate: date(day) }),
  );
  const on = (today: string, instalments = plan) => ageing(instalments, 1, date(today));

  test.each([
    ["2026-11-29", 0, "current"],
    ["2026-11-30", 0, "current"],
    ["2026-12-01", 1, "1-30"],
    ["2026-12-30", 30, "1-30"],
    ["2026-12-31", 31, "31-60"],
    ["2027-01-29", 60, "31-60"],
    ["2027-01-30", 61, "61-90"],
    ["2027-02-28", 90, "61-90"],
    ["2027-03-01", 91, "over_90"],
    ["2036-11-30", 3_653, "over_90"],
  ])("on %s is %i days, bucket %s", (today, daysPastDue, bucket) => {
    expect(on(today)).toMatchObject({ daysPastDue, bucket });
  });

  test("counts from the due date, and only calls overdue what is beyond the days of grace", () => {
    expect(on("2026-12-01")).toMatchObject({ daysPastDue: 1, overdueInstalments: [], overdueAmount: 0n });
    expect(on("2026-12-02")).toMatchObject({ overdueInstalments: [1], overdueAmount: naira("1,050.00") });
    expect(on("2027-01-30")).toMatchObject({ overdueInstalments: [1, 2], overdueAmount: naira("2,100.00") });
  });

  test("counts from the earliest instalment that is not paid", () => {
    const [first, ...rest] = plan;
    const settled = [{ ...wholly, ...(first === undefined ? {} : { dueDate: first.dueDate }) }, ...rest];
    expect(on("2027-01-01", settled)).toMatchObject({ daysPastDue: 2, bucket: "1-30", overdueInstalments: [2] });
  });

  test("is not at all when nothing is open, however long ago it was", () => {
    expect(on("2036-01-01", [wholly])).toEqual({
      daysPastDue: 0,
      bucket: "current",
      overdueInstalments: [],
      overdueAmount: 0n,
    });
    expect(on("2036-01-01", [])).toMatchObject({ bucket: "current" });
  });
});

describe("the figures of a loan", () => {
  const plan = ["2026-11-30", "2026-12-30", "2027-01-30"].map((day, place) =>
    instalment({ number: place + 1, dueDate: date(day) }),
  );
  const today = date("2026-12-15");

  test("say what is asked for: everything overdue and the earliest open instalment, counted once", () => {
    expect(asked(plan, 1, today).map(({ number }) => number)).toEqual([1]);
    expect(asked(plan, 1, date("2027-01-15")).map(({ number }) => number)).toEqual([1, 2]);
    expect(asked(plan, 1, date("2026-11-01")).map(({ number }) => number)).toEqual([1]);
    expect(figuresOf(plan, 1, date("2027-01-15")).toRepay).toBe(naira("2,100.00"));
  });

  test("ask for nothing of a loan that is paid", () => {
    expect(figuresOf([wholly], 1, today)).toMatchObject({
      balance: 0n,
      nextRepaymentAmount: 0n,
      toRepay: 0n,
      nextDueDate: null,
      paid: naira("1,050.00"),
    });
  });

  test("of a loan that never will be paid out show its costs and no debt", () => {
    const figures = figuresOf(plan, 1, today);
    expect(withoutDebt(figures)).toEqual({
      ...figures,
      balance: 0n,
      nextRepaymentAmount: 0n,
      toRepay: 0n,
      nextDueDate: null,
    });
    expect(withoutDebt(figures).totalRepayment).toBe(naira("3,150.00"));
  });

  test("agree with each other, whatever was paid, waived and charged", () => {
    const share = fc.integer({ min: 0, max: 100 });
    const part = (whole: Kobo, percent: number): Kobo => kobo((whole * BigInt(percent)) / 100n);
    const any = fc
      .record({ waived: share, reduced: share, settled: share, late: share, month: fc.integer({ min: 0, max: 11 }) })
      .map(({ waived, reduced, settled, late, month }) => {
        const base = instalment({
          dueDate: date("2026-01-15").add({ months: month }),
          waivedInterest: part(naira("40.00"), waived),
          reducedPrincipal: part(naira("1,000.00"), reduced),
          lateFee: part(naira("100.00"), late),
        });
        const owed = dueParts(base);
        return {
          ...base,
          paid: {
            lateFee: part(owed.lateFee, settled),
            fees: part(owed.fees, settled),
            interest: part(owed.interest, settled),
            principal: part(owed.principal, settled),
          },
        };
      });
    fc.assert(
      fc.property(fc.array(any, { minLength: 1, maxLength: 6 }), share, (instalments, day) => {
        const now = date("2026-01-01").add({ days: day * 4 });
        const figures = figuresOf(instalments, 1, now);
        expect(figures.balance).toBe(figures.totalRepayment + figures.lateFees - figures.paid);
        expect(figures.balance).toBe(instalments.reduce((all, each) => all + unpaid(each), 0n));
        expect(figures.toRepay).toBeLessThanOrEqual(figures.balance);
        expect(figures.nextRepaymentAmount).toBeLessThanOrEqual(figures.toRepay);
        expect(figures.toRepay).toBeGreaterThanOrEqual(ageing(instalments, 1, now).overdueAmount);
        expect(figures.nextDueDate === null).toBe(figures.balance === 0n);
      }),
    );
  });
});
