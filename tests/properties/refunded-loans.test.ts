/** Random lives of loans whose orders are refunded, without a database. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { sharesOf } from "../../server/src/lending/account/loan-ledger.ts";
import { figuresOf } from "../../server/src/lending/position/figures.ts";
import { dueParts, parts } from "../../server/src/lending/position/instalment.ts";
import {
  type LoanHistory,
  type LoanPosition,
  positionOf,
  takenBy,
} from "../../server/src/lending/position/position.ts";
import { receivedMoney } from "../../server/src/lending/position/received-money.ts";
import { kobo, nairaString, zeroKobo } from "../../server/src/money/kobo.ts";
import { date, happened, historyOf, orderHistory, reduction } from "../../server/testing/lending/loan-histories.ts";
import { anyLife, sentBy } from "../../server/testing/lending/random-lives.ts";

const environmentId = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b12";

function proveSound({ history, amount }: { history: LoanHistory; amount: bigint }): LoanPosition {
  const position = positionOf(history);
  const figures = figuresOf(position.instalments, 1, date("2026-01-31"));
  const total = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, each) => sum + each, 0n);
  for (const instalment of position.instalments) {
    const due = dueParts(instalment);
    for (const part of parts) {
      expect(instalment.paid[part] >= 0n && due[part] >= instalment.paid[part], `${part} is within its bounds`).toBe(
        true,
      );
    }
  }
  const { money, later } = receivedMoney(history);
  const kept = total(money.map((item) => item.amount)) - total(later.map((refund) => refund.amount));
  expect(position.unborne).toBe(0n);
  expect(figures.paid + figures.reducedPrincipal + position.credit + position.suspense).toBe(kept);
  expect(figures.totalRepayment).toBe(amount - figures.reducedPrincipal + figures.totalInterest + figures.totalFees);
  expect(figures.balance >= 0n && position.credit >= 0n).toBe(true);
  expect(figures.balance === 0n).toBe(position.closedAt !== null);
  if (position.credit > 0n) expect(figures.balance).toBe(0n);
  for (const { id, whole } of money.filter(({ from }) => from === "reduction")) {
    const effect = position.effects.get(id);
    if (effect === undefined) throw new Error(`${id} had no effect`);
    expect(total([takenBy(effect), effect.credit, effect.refunded])).toBe(whole);
  }
  return position;
}

/** Whatever has been accrued: the legs of a loan's books always balance. */
function proveBalanced(history: LoanHistory, position: LoanPosition): void {
  for (const accrued of [0, 1, 12]) {
    const account = { disbursedAt: new Date(), accrued, writtenOffAt: history.writtenOffAt };
    const shares = [...sharesOf(environmentId, { account, history, position }).values()];
    expect(shares.reduce<bigint>((sum, share) => sum + share, 0n)).toBe(0n);
  }
}

test("whatever is paid, refunded and charged, in any order: sums are exact, nothing is negative, books balance", () => {
  fc.assert(
    fc.property(anyLife, (life) => proveBalanced(life.history, proveSound(life))),
    { numRuns: 1_500 },
  );
});

/** Less than nothing is what the borrower has to get. */
function owed(history: LoanHistory): bigint {
  const { instalments, credit, suspense } = positionOf(history);
  return figuresOf(instalments, 1, date("2026-01-31")).balance - credit - suspense;
}

test("a reversed repayment leaves a refunded loan as if it had never been made, and never owing less", () => {
  fc.assert(
    fc.property(anyLife, fc.nat(), ({ history, amount }, pick) => {
      const gone = history.repayments[pick % Math.max(1, history.repayments.length)];
      if (gone === undefined) return;
      const reversed = { ...gone, reversedAt: new Date(), reversalReason: "bounced" };
      const repayments = history.repayments.map((each) => (each === gone ? reversed : each));
      const without = history.repayments.filter((each) => each !== gone);
      const after = { ...history, repayments };
      // Refused: its money has gone back.
      if (positionOf(after).unborne > 0n) return;
      expect(positionOf(after)).toEqual(positionOf({ ...history, repayments: without }));
      proveBalanced(after, proveSound({ history: after, amount }));
      expect(owed(after) >= owed(history)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test("after a refund a borrower owes less than before, by no less than what was refunded", () => {
  fc.assert(
    fc.property(anyLife, ({ history }) => {
      for (const [place, { amount, sequence }] of history.reductions.entries()) {
        const before = <Item extends { sequence: number }>(items: readonly Item[]): Item[] =>
          items.filter((item) => item.sequence < sequence);
        const instalments = history.instalments.map((each) =>
          each.lateFeeAt !== null && each.lateFeeAt > sequence ? { ...each, lateFee: zeroKobo, lateFeeAt: null } : each,
        );
        const money = { repayments: before(history.repayments), refunds: before(history.refunds) };
        const then = { ...history, ...money, instalments, reductions: history.reductions.slice(0, place) };
        const after = { ...then, reductions: history.reductions.slice(0, place + 1) };
        expect(owed(then) - owed(after) >= amount).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

test("an order that is refunded whole before anything fell due costs nothing, whatever was paid and given back", () => {
  const anyStep = fc.record({
    what: fc.constantFrom("pay", "refund", "back"),
    thousandths: fc.integer({ min: 0, max: 1_100 }),
  });
  const day = "2026-02-27";
  fc.assert(
    fc.property(anyLife, fc.array(anyStep, { maxLength: 8 }), (life, steps) => {
      const { amount } = life;
      const instalments = life.history.instalments.map((each) => ({ ...each, lateFee: zeroKobo, lateFeeAt: null }));
      const nothing = { repayments: [], reductions: [], refunds: [], writtenOffAt: null };
      let [history, refundable, sequence]: [LoanHistory, bigint, number] = [
        { ...life.history, ...nothing, instalments },
        amount,
        2,
      ];
      const happens = (what: string, sent: bigint): void => {
        if (sent <= 0n) return;
        if (what === "refund") refundable -= sent;
        history = happened(history, `${what}:${day}:${nairaString(kobo(sent))}`, sequence);
        sequence += 1;
      };
      for (const { what, thousandths } of steps) {
        const wanted = (amount * BigInt(thousandths)) / 1_000n + 1n;
        happens(what, sentBy(history, what, { wanted, refundable }));
      }
      happens("refund", refundable);
      const { credit, closedAt, instalments: left } = positionOf(history);
      const paid = history.repayments.reduce((sum, each) => sum + each.amount, 0n);
      const gone = history.refunds.reduce((sum, each) => sum + each.amount, 0n);
      expect(credit + gone).toBe(paid);
      expect([figuresOf(left, 1, date(day)).totalRepayment, closedAt === null]).toEqual([0n, false]);
    }),
    { numRuns: 500 },
  );
});

test("a refund leaves a flat loan owing as if the rest alone had been lent, but for the rounding, however paid", () => {
  const flat = fc.record({
    amount: fc.bigInt(500_000n, 100_000_000n),
    tenor: fc.integer({ min: 1, max: 12 }),
    thousandths: fc.bigInt(1n, 999n),
    prepaid: fc.bigInt(0n, 1_300n),
  });
  fc.assert(
    fc.property(flat, ({ amount, tenor, thousandths, prepaid }) => {
      const off = (amount * thousandths) / 1_000n;
      const terms = { ...orderHistory, tenor };
      const pay = (history: LoanHistory): LoanHistory =>
        happened(history, `pay:2026-01-31:${nairaString(kobo((amount * prepaid) / 1_000n + 1n))}`, 2);
      const whole = pay(historyOf({ ...terms, amount: kobo(amount) }));
      const refunded = { ...whole, reductions: [reduction(3, kobo(off), "2026-01-31")] };
      const difference = owed(refunded) - owed(pay(historyOf({ ...terms, amount: kobo(amount - off) })));
      // Half a kobo of waived interest an instalment, and half a kobo where the interest itself was rounded.
      expect(difference * difference <= BigInt((tenor + 1) ** 2)).toBe(true);
    }),
    { numRuns: 300 },
  );
});
