/**
 * What a plan costs in a year, so that plans of different length and kind can be compared: the effective annual rate at
 * which the payments, each discounted to the day of the disbursement, are worth what was paid out. It is the internal
 * rate of return of one period, compounded over the periods of a year; a month is a twelfth, whatever its length.
 *
 * A flat rate says less than it seems to: 2.5 % a month flat for three months is interest on money that was already
 * paid back, and comes to more than 12 × 2.5 % a year.
 *
 * All of it is done in whole numbers. The growth of a period is a fraction over `scale`; whether the payments cover the
 * debt at that growth is a comparison of whole numbers without rounding, and the root is enclosed to one part in 10^15.
 */
import type { Kobo } from "../../money/kobo.ts";
import { type Rate, rateUnit, type TenorType } from "./product.ts";
import { amountDue, type Quote } from "./quote.ts";

const scale = 10n ** 15n;
const periodsOfYear: Readonly<Record<TenorType, bigint>> = { daily: 365n, weekly: 52n, monthly: 12n };
/** A hundredth of a percent: more is not shown to anybody. */
const step = rateUnit / 10_000n;

export interface Payments {
  readonly paidOut: Kobo;
  /** One a period, beginning one period after the disbursement. */
  readonly payments: readonly Kobo[];
  readonly tenorType: TenorType;
}

/** Parts per million a year, rounded half up to a hundredth of a percent. */
export function annualRate({ paidOut, payments, tenorType }: Payments): Rate {
  if (paidOut <= 0n) throw new Error("a plan that disburses nothing has no rate");
  const growth = growthOfPeriod(paidOut, payments);
  const periods = periodsOfYear[tenorType];
  const whole = scale ** periods;
  const interest = (growth ** periods - whole) * rateUnit;
  // Half a step is added before the division rounds down.
  return ((interest + (whole * step) / 2n) / (whole * step)) * step;
}

/** Of a plan as it is quoted: what is paid out, and every instalment with its fees. */
export function annualRateOf({ amount, instalments, tenorType }: Pick<Quote, "amount" | "instalments" | "tenorType">) {
  return annualRate({ paidOut: amount, payments: instalments.map(amountDue), tenorType });
}

/** The largest growth, over `scale`, at which the payments still cover what was paid out; no less than 1. */
function growthOfPeriod(paidOut: Kobo, payments: readonly Kobo[]): bigint {
  let low = scale;
  let high = scale;
  while (covers(paidOut, payments, high)) {
    low = high;
    high *= 2n;
  }
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (covers(paidOut, payments, middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** Whether a debt that grows like this is paid off: what is owed after each payment, multiplied out by the scale. */
function covers(paidOut: Kobo, payments: readonly Kobo[], growth: bigint): boolean {
  let owed: bigint = paidOut;
  let unit = 1n;
  for (const payment of payments) {
    unit *= scale;
    owed = owed * growth - payment * unit;
  }
  return owed <= 0n;
}
