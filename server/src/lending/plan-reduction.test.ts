import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { naira } from "../../testing/lending.ts";
import { type Kobo, kobo, nairaString, zeroKobo } from "../money/kobo.ts";
import { figuresOf } from "./figures.ts";
import { dueParts, type InstalmentPosition, parts, unpaid } from "./instalment.ts";
import { startOfLagosDay } from "./lagos-date.ts";
import type { CreditRefund, Reduction, Repayment } from "./loan-account.ts";
import { sharesOf } from "./loan-ledger.ts";
import { scheduled } from "./plan.ts";
import { type LoanHistory, type LoanPosition, positionOf } from "./position.ts";
import type { InterestMethod, LoanProduct } from "./product.ts";
import { checkoutProduct } from "./products.ts";
import { receivedMoney } from "./received-money.ts";

const date = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);
const environmentId = "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b12";

interface Terms {
  readonly method: InterestMethod;
  readonly amount: Kobo;
  readonly tenure: number;
  readonly rate: bigint;
  readonly fee: LoanProduct["fee"];
  readonly start: string;
}

function historyOf({ method, amount, tenure, rate, fee, start }: Terms): LoanHistory {
  const tenures = { monthly: { shortest: 1, longest: 60, rate } };
  const product: LoanProduct = { ...checkoutProduct, id: "p", version: 1, interestMethod: method, tenures, fee };
  const instalments = scheduled(product, { amount, tenure, tenureType: "monthly" }, date(start));
  return { interestMethod: method, instalments, repayments: [], reductions: [], refunds: [], writtenOffAt: null };
}

function repayment(sequence: number, amount: Kobo, on: string): Repayment {
  return {
    ...{ id: `pay${sequence}`, accountId: "a", number: sequence, sequence, reference: `${sequence}`, amount },
    ...{ channel: "cash", walletId: null, reversedAt: null, reversalReason: null },
    recordedAt: startOfLagosDay(date(on)),
  };
}

function reduction(sequence: number, amount: Kobo, on: string): Reduction {
  const named = { id: `off${sequence}`, accountId: "a", sequence, reference: `${sequence}`, reason: "returned" };
  return { ...named, walletId: "w", amount, recordedAt: startOfLagosDay(date(on)) };
}

/** Adds what happened under the next sequence: pay:date:amount, refund:date:amount or late:number:amount. */
function happened(history: LoanHistory, step: string, sequence: number): LoanHistory {
  const [what = "", when = "", digits = ""] = step.split(":");
  const amount = naira(digits);
  if (what === "pay") return { ...history, repayments: [...history.repayments, repayment(sequence, amount, when)] };
  if (what === "refund") return { ...history, reductions: [...history.reductions, reduction(sequence, amount, when)] };
  const instalments = history.instalments.map((instalment) =>
    instalment.number === Number(when) ? { ...instalment, lateFee: amount, lateFeeAt: sequence } : instalment,
  );
  return { ...history, instalments };
}

const written = (instalment: InstalmentPosition): string => {
  const { principal, interest, fees } = dueParts(instalment);
  return [principal, interest, fees, unpaid(instalment)].map(nairaString).join(" ");
};

/** See reference-reductions.py, which worked them out by another method. */
const references = readFileSync(join(import.meta.dirname, "reference-reductions.tsv"), "utf8")
  .trimEnd()
  .split("\n");

describe("refunded loans worked out by another method", () => {
  test.each(references.map((line) => [line.split("\t").slice(0, 8).join(" "), line]))("%s", (_name, line) => {
    const [method, amount = "", tenure, percent, feePercent, feeFixed = "", start = "", happens = "", ...rest] =
      line.split("\t");
    const [interest, fees, total, paid, balance, credit, rows = ""] = rest;
    const millionths = (text: string | undefined): bigint => BigInt(Math.round(Number(text) * 10_000));
    const planned = historyOf({
      method: method as InterestMethod,
      amount: naira(amount),
      tenure: Number(tenure),
      rate: millionths(percent),
      fee: { rate: millionths(feePercent), fixed: naira(feeFixed) },
      start,
    });
    const history = happens.split(",").reduce((so, step, place) => happened(so, step, place + 2), planned);
    const position = positionOf(history);
    const figures = figuresOf(position.instalments, 1, date(start));
    expect(position.instalments.map(written)).toEqual(rows.split(";"));
    const found = [figures.totalInterest, figures.totalFees, figures.totalRepayment, figures.paid, figures.balance];
    expect([...found, position.credit].map(nairaString)).toEqual([interest, fees, total, paid, balance, credit]);
    expect(position.closedAt !== null).toBe(balance === "0.00");
  });
});

const checkout: Terms = {
  ...{ method: "flat", amount: naira("60,000.00"), tenure: 3, rate: 25_000n, start: "2026-01-31" },
  fee: { rate: 0n, fixed: zeroKobo },
};
const play = (...steps: string[]): LoanHistory =>
  steps.reduce((history, step, place) => happened(history, step, place + 2), historyOf(checkout));

test("a refund's effect names where its money went", () => {
  const steps = ["pay:2026-02-10:5000.00", "late:1:215.00", "refund:2026-03-05:60000.00"];
  expect(positionOf(play(...steps)).effects.get("off4")).toEqual({
    ...{ principal: naira("56,500.00"), lateFee: naira("215.00"), fees: 0n, interest: 0n },
    ...{ credit: naira("3,285.00"), suspense: 0n, refunded: 0n },
    ...{ waivedInterest: naira("3,000.00"), waivedFees: 0n },
  });
});

test.each([
  ["40100.00", "100.00", "0.00"],
  ["40300.00", "215.00", "85.00"],
  ["41715.00", "215.00", "1500.00"],
])(
  "beyond all principal a refund of %s pays %s of the late fee, then %s of the interest",
  (amount, lateFee, interest) => {
    const steps = ["pay:2026-02-28:21500.00", "late:2:215.00", `refund:2026-04-05:${amount}`];
    const { effects, instalments } = positionOf(play(...steps));
    expect(effects.get("off4")).toMatchObject({ lateFee: naira(lateFee), interest: naira(interest), credit: 0n });
    expect(instalments[1]?.paid).toEqual({
      lateFee: naira(lateFee),
      fees: 0n,
      interest: naira(interest),
      principal: 0n,
    });
  },
);

test("a late fee that was charged after a refund takes nothing from it", () => {
  const steps = ["pay:2026-02-28:21500.00", "refund:2026-04-05:41600.00", "late:2:215.00"];
  const { effects } = positionOf(play(...steps));
  expect(effects.get("off3")).toMatchObject({ lateFee: 0n, interest: naira("1,500.00"), credit: naira("100.00") });
});

test("an instalment of which nothing is left counts as paid when the refund came", () => {
  const { instalments, closedAt } = positionOf(play("refund:2026-02-01:60000.00"));
  const then = startOfLagosDay(date("2026-02-01"));
  expect([...instalments.map(({ paidAt }) => paidAt), closedAt]).toEqual([then, then, then, then]);
});

test("credit that a refund made is given back without touching what the loan took", () => {
  const history = play("pay:2026-02-01:43000.00", "refund:2026-02-02:60000.00");
  const before = positionOf(history);
  expect(before.credit).toBe(naira("40,000.00"));
  const refund: CreditRefund = {
    ...{ id: "f", accountId: "a", sequence: 9, reference: "f", channel: "card", walletId: null },
    ...{ repaymentId: "pay1", amount: naira("39,999.99"), refundedAt: new Date() },
  };
  const after = positionOf({ ...history, refunds: [refund] });
  expect(after.credit).toBe(naira("0.01"));
  expect(after.instalments).toEqual(before.instalments);
});

/** Days after the start, and thousandths of the amount lent. */
const anyEvent = fc.record({
  what: fc.constantFrom("pay" as const, "refund" as const, "late" as const),
  days: fc.integer({ min: 0, max: 60 }),
  thousandths: fc.integer({ min: 0, max: 700 }),
  number: fc.integer({ min: 1, max: 12 }),
});

const anyLife = fc
  .record({
    method: fc.constantFrom<InterestMethod>("flat", "reducing"),
    amount: fc.bigInt(1n, 10_000_000n),
    tenure: fc.integer({ min: 1, max: 12 }),
    rate: fc.bigInt(0n, 100_000n),
    feeRate: fc.bigInt(0n, 50_000n),
    feeFixed: fc.bigInt(0n, 10_000n),
    events: fc.array(anyEvent, { minLength: 1, maxLength: 9 }),
    writtenOff: fc.boolean(),
  })
  .map(({ method, amount, tenure, rate, feeRate, feeFixed, events, writtenOff }) => {
    const fee = { rate: feeRate, fixed: kobo(feeFixed) };
    let history = historyOf({ method, amount: kobo(amount), tenure, rate, fee, start: "2026-01-31" });
    let [day, refundable] = [date("2026-01-31"), amount];
    for (const [place, { what, days, thousandths, number }] of events.entries()) {
      day = day.add({ days });
      const wanted = (amount * BigInt(thousandths)) / 1_000n + 1n;
      const sent = what === "refund" && wanted > refundable ? refundable : wanted;
      if (sent === 0n) continue;
      if (what === "refund") refundable -= sent;
      if (what === "late" && history.instalments[number - 1]?.lateFeeAt !== null) continue;
      // Whoever is late has something open: a closed loan bears no late fee.
      if (what === "late" && positionOf(history).closedAt !== null) continue;
      history = happened(history, `${what}:${what === "late" ? number : day}:${nairaString(kobo(sent))}`, place + 2);
    }
    // After a write-off only a card's money comes, and no refund.
    return { history: writtenOff ? { ...history, writtenOffAt: events.length + 2 } : history, amount };
  });

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
  const { money } = receivedMoney(history);
  const kept = total(money.map((item) => item.amount));
  expect(figures.paid + figures.reducedPrincipal + position.credit + position.suspense).toBe(kept);
  expect(figures.totalRepayment).toBe(amount - figures.reducedPrincipal + figures.totalInterest + figures.totalFees);
  expect(figures.balance >= 0n && position.credit >= 0n).toBe(true);
  expect(figures.balance === 0n).toBe(position.closedAt !== null);
  if (position.credit > 0n) expect(figures.balance).toBe(0n);
  for (const { id, whole } of money.filter(({ from }) => from === "reduction")) {
    const effect = position.effects.get(id);
    if (effect === undefined) throw new Error(`${id} had no effect`);
    expect(total([...parts.map((part) => effect[part]), effect.credit, effect.refunded])).toBe(whole);
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

test("a reversed repayment leaves a refunded loan as if it had never been made, and never owing less", () => {
  fc.assert(
    fc.property(anyLife, fc.nat(), ({ history, amount }, pick) => {
      const gone = history.repayments[pick % Math.max(1, history.repayments.length)];
      if (gone === undefined) return;
      const reversed = { ...gone, reversedAt: new Date(), reversalReason: "bounced" };
      const repayments = history.repayments.map((each) => (each === gone ? reversed : each));
      const without = history.repayments.filter((each) => each !== gone);
      const after = { ...history, repayments };
      expect(positionOf(after)).toEqual(positionOf({ ...history, repayments: without }));
      proveBalanced(after, proveSound({ history: after, amount }));
      const owed = (of: LoanHistory): bigint => {
        const { instalments, credit, suspense } = positionOf(of);
        return figuresOf(instalments, 1, date("2026-01-31")).balance - credit - suspense;
      };
      expect(owed(after) >= owed(history)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test("a refund leaves a flat loan owing as if the rest alone had been lent, but for the rounding", () => {
  const flat = fc.record({
    amount: fc.bigInt(500_000n, 100_000_000n),
    tenure: fc.integer({ min: 1, max: 12 }),
    thousandths: fc.bigInt(1n, 999n),
  });
  fc.assert(
    fc.property(flat, ({ amount, tenure, thousandths }) => {
      const off = (amount * thousandths) / 1_000n;
      const terms = { ...checkout, tenure };
      const whole = historyOf({ ...terms, amount: kobo(amount) });
      const refunded = positionOf({ ...whole, reductions: [reduction(2, kobo(off), "2026-01-31")] });
      const smaller = positionOf(historyOf({ ...terms, amount: kobo(amount - off) }));
      const owed = ({ instalments }: LoanPosition): bigint => figuresOf(instalments, 1, date("2026-01-31")).balance;
      const difference = owed(refunded) - owed(smaller);
      // Half a kobo of waived interest an instalment, and half a kobo where the interest itself was rounded.
      expect(difference * difference <= BigInt((tenure + 1) ** 2)).toBe(true);
    }),
    { numRuns: 300 },
  );
});
