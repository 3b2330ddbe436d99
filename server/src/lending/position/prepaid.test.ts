import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { kobo, zeroKobo } from "../../money/kobo.ts";
import { type InstalmentPosition, noParts, sumParts, unpaid, untouched } from "./instalment.ts";
import { bear, freePrepaid, paidOnlyIfWhole, takeBack } from "./position.ts";

const date = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);
const at = new Date("2026-11-02T08:00:00.000Z");

function plan(...paidOf: readonly bigint[]): InstalmentPosition[] {
  return paidOf.map((paid, place) => {
    const planned = { number: place + 1, dueDate: date("2026-01-15").add({ months: place }) };
    const amounts = { principal: kobo(1_000n), interest: kobo(100n), fees: kobo(10n), lateFee: zeroKobo };
    const instalment = untouched({ ...planned, ...amounts, lateFeeAt: null });
    const fees = kobo(paid < 10n ? paid : 10n);
    const interest = kobo(paid - fees < 100n ? paid - fees : 100n);
    const principal = kobo(paid - fees - interest);
    return paidOnlyIfWhole({ ...instalment, paid: { ...noParts, fees, interest, principal }, paidAt: at });
  });
}
const paidOf = (instalments: readonly InstalmentPosition[]) => instalments.map(({ paid }) => sumParts(paid));

describe("setting prepaid money free", () => {
  test("takes what was paid for instalments to come, and nothing of what has fallen due", () => {
    const freed = freePrepaid(plan(1_110n, 1_110n, 500n), date("2026-02-15"));
    expect(freed.money).toBe(500n);
    expect(paidOf(freed.instalments)).toEqual([1_110n, 1_110n, 0n]);
  });

  test("counts an instalment that falls due on the day as due", () => {
    const on = (day: string) => freePrepaid(plan(1_110n, 500n), date(day)).money;
    expect(on("2026-02-14")).toBe(500n);
    expect(on("2026-02-15")).toBe(0n);
    expect(on("2026-01-14")).toBe(1_610n);
  });

  test("frees nothing where nothing was prepaid", () => {
    const instalments = plan(300n, 0n, 0n);
    expect(freePrepaid(instalments, date("2026-01-15"))).toEqual({ instalments, money: 0n });
  });
});

describe("taking money out of a loan again", () => {
  test("takes from the last instalment first, and there principal before interest before fees", () => {
    const back = takeBack(plan(1_110n, 1_110n), kobo(1_050n));
    expect(back.money).toBe(1_050n);
    expect(back.instalments.map(({ paid }) => paid)).toMatchObject([
      { principal: 1_000n, interest: 100n, fees: 10n },
      { principal: 0n, interest: 50n, fees: 10n },
    ]);
  });

  test("opens what was paid: an instalment with something missing is not paid", () => {
    const back = takeBack(plan(1_110n, 1_110n), kobo(1n));
    expect(back.instalments.map(({ paidAt }) => paidAt)).toEqual([at, null]);
  });

  test("finds no more than there is", () => {
    const back = takeBack(plan(300n, 0n), kobo(1_000n));
    expect(back.money).toBe(300n);
    expect(paidOf(back.instalments)).toEqual([0n, 0n]);
  });

  test("takes exactly what it says, whatever was paid, and leaves no part below nothing", () => {
    const paid = fc.array(fc.bigInt({ min: 0n, max: 1_110n }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(paid, fc.bigInt({ min: 0n, max: 8_000n }), (amounts, wanted) => {
        const before = plan(...amounts);
        const { instalments, money } = takeBack(before, kobo(wanted));
        const all = amounts.reduce((sum, each) => sum + each, 0n);
        expect(money).toBe(wanted < all ? wanted : all);
        expect(paidOf(instalments).reduce((sum, each) => sum + each, 0n)).toBe(all - money);
        expect(instalments.map(({ number }) => number)).toEqual(before.map(({ number }) => number));
        for (const each of instalments) {
          expect(Object.values(each.paid).every((part) => part >= 0n)).toBe(true);
          if (unpaid(each) > 0n) expect(each.paidAt).toBeNull();
        }
      }),
    );
  });
});

describe("what money bears of a refund", () => {
  const note = (credit: bigint, suspense: bigint, refunded = 0n) => ({
    credit: kobo(credit),
    suspense: kobo(suspense),
    refunded: kobo(refunded),
  });

  test.each([
    ["credit first", note(100n, 50n), 80n, note(20n, 50n, 80n), 0n],
    ["then what waits in suspense", note(100n, 50n), 120n, note(0n, 30n, 120n), 0n],
    ["and leaves the rest to older money", note(100n, 50n, 5n), 200n, note(0n, 0n, 155n), 50n],
  ])("is %s", (_, before, amount, after, left) => {
    expect(bear(before, kobo(amount))).toEqual({ note: after, left });
  });

  test("is nothing of money that made no credit", () => {
    const before = note(0n, 0n, 7n);
    const borne = bear(before, kobo(10n));
    expect(borne.note).toBe(before);
    expect(borne.left).toBe(10n);
  });
});
