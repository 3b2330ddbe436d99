/** What a bill costs on top and earns the merchant. The rates are data with a date; this is the arithmetic on them. */
import { multiplyRatio } from "../../money/arithmetic.ts";
import type { Kobo } from "../../money/kobo.ts";
import type { BillCategory } from "../../rails/biller.ts";

export interface DatedRate {
  readonly category: BillCategory;
  readonly effectiveFrom: Date;
  /** Hundredths of a percent of the amount. */
  readonly commissionBasisPoints: bigint;
  readonly fee: Kobo;
}

/** A rate as an operator has published it. */
export interface PublishedRate extends DatedRate {
  /** From 1 in each category. */
  readonly version: number;
  readonly source: string;
}

/** The latest date first, and of one date the highest version. */
export type Rates = readonly DatedRate[];

export interface BillCharge {
  readonly fee: Kobo;
  readonly commission: Kobo;
}

export function chargeFor(rates: Rates, category: BillCategory, amount: Kobo, now: Date): BillCharge {
  const own = rates.filter((rate) => rate.category === category);
  const rate = own.find(({ effectiveFrom }) => effectiveFrom <= now) ?? own.at(-1);
  if (rate === undefined) throw new Error(`there is no rate for ${category}`);
  // What is less than a kobo stays with us, who pay the commission.
  return { fee: rate.fee, commission: multiplyRatio(amount, rate.commissionBasisPoints, 10_000n, "down") };
}
