/** Random lives of loans at the checkout: what is paid, refunded, charged and given back, in an order that can be. */
import fc from "fast-check";
import { type LoanHistory, positionOf } from "../../src/lending/position/position.ts";
import type { InterestMethod } from "../../src/lending/pricing/product.ts";
import { kobo, nairaString } from "../../src/money/kobo.ts";
import { date, type HistoryTerms, happened, historyOf } from "./loan-histories.ts";

/** Days after the start, and thousandths of the amount lent. */
const anyEvent = fc.record({
  what: fc.constantFrom("pay", "refund", "late", "back"),
  days: fc.integer({ min: 0, max: 60 }),
  thousandths: fc.integer({ min: 0, max: 700 }),
  number: fc.integer({ min: 1, max: 12 }),
});

/** No more is refunded than was lent, nor given back than is credit. */
export function sentBy(
  history: LoanHistory,
  what: string,
  { wanted, refundable }: { wanted: bigint; refundable: bigint },
): bigint {
  const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);
  if (what === "refund") return least(wanted, refundable);
  return what === "back" ? least(wanted, positionOf(history).credit) : wanted;
}

export const anyLife = fc
  .record({
    method: fc.constantFrom<InterestMethod>("flat", "reducing"),
    amount: fc.bigInt(1n, 10_000_000n),
    tenor: fc.integer({ min: 1, max: 12 }),
    rate: fc.bigInt(0n, 100_000n),
    feeRate: fc.bigInt(0n, 50_000n),
    feeFixed: fc.bigInt(0n, 10_000n),
    events: fc.array(anyEvent, { minLength: 1, maxLength: 9 }),
    writtenOff: fc.boolean(),
  })
  .map(({ method, amount, tenor, rate, feeRate, feeFixed, events, writtenOff }) => {
    const fee = { rate: feeRate, fixed: kobo(feeFixed) };
    const terms: HistoryTerms = { method, amount: kobo(amount), tenor, rate, fee, start: "2026-01-31" };
    let history = historyOf(terms);
    let [day, refundable] = [date("2026-01-31"), amount];
    for (const [place, { what, days, thousandths, number }] of events.entries()) {
      day = day.add({ days });
      const wanted = (amount * BigInt(thousandths)) / 1_000n + 1n;
      const sent = sentBy(history, what, { wanted, refundable });
      if (sent === 0n) continue;
      if (what.endsWith("refund")) refundable -= sent;
      if (what === "late" && history.instalments[number - 1]?.lateFeeAt !== null) continue;
      // A late loan has something open: a closed loan bears no late fee.
      if (what === "late" && positionOf(history).closedAt !== null) continue;
      history = happened(history, `${what}:${what === "late" ? number : day}:${nairaString(kobo(sent))}`, place + 2);
    }
    // After a write-off only a card's money comes, and no refund.
    return { terms, history: writtenOff ? { ...history, writtenOffAt: events.length + 2 } : history, amount };
  });
