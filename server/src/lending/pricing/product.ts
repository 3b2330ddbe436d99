/**
 * A loan product says what a loan costs and what may be asked for: data with a date, kept per environment. A change of
 * terms is a new version; a loan keeps the version it was made with, from which its schedule can be computed again.
 *
 * Rates are parts per million of a period (a day, a week or a month, as the tenor counts), so that 0.2 % is 2000 and
 * no rate is ever a floating-point number.
 */
import { type Kobo, nairaString } from "../../money/kobo.ts";
import { percentNumber, percentParts } from "../../money/percent.ts";

export const tenorTypes = ["daily", "weekly", "monthly"] as const;
export type TenorType = (typeof tenorTypes)[number];

/**
 * Flat: every period costs the rate on the whole amount. Reducing: every period costs the rate on what is still owed,
 * and equal instalments (an annuity) pay it off.
 */
export type InterestMethod = "flat" | "reducing";

/** Parts per million. */
export type Rate = bigint;
export const rateUnit = 1_000_000n;

export interface TenorOffer {
  readonly shortest: number;
  readonly longest: number;
  /** Per period. */
  readonly rate: Rate;
}

export interface LoanProduct {
  readonly id: string;
  readonly version: number;
  /** What the code that makes loans asks for: `standard` for loan requests. */
  readonly code: string;
  readonly name: string;
  readonly description: string;
  readonly effectiveFrom: Date;
  readonly interestMethod: InterestMethod;
  readonly minimumAmount: Kobo;
  readonly maximumAmount: Kobo;
  readonly tenors: Readonly<Partial<Record<TenorType, TenorOffer>>>;
  /** For granting the loan, spread over the instalments. */
  readonly fee: { readonly rate: Rate; readonly fixed: Kobo };
  /** A part of the instalment that is late, once per instalment. */
  readonly lateFee: { readonly rate: Rate; readonly minimum: Kobo };
  /** Days after the due date in which an instalment can be paid without being overdue. */
  readonly graceDays: number;
}

export interface LoanTerms {
  readonly amount: Kobo;
  /** In units of the tenor type; as many instalments. */
  readonly tenor: number;
  readonly tenorType: TenorType;
}

export interface TermsError {
  readonly field: "amount" | "tenor" | "tenorType";
  readonly message: string;
}

/** Everything about the terms that the product does not offer; empty when a loan can be made of them. */
export function termsErrors(product: LoanProduct, terms: LoanTerms): TermsError[] {
  return [...amountErrors(product, terms.amount), ...tenorErrors(product, terms)];
}

function amountErrors({ minimumAmount, maximumAmount }: LoanProduct, amount: Kobo): TermsError[] {
  if (amount >= minimumAmount && amount <= maximumAmount) return [];
  const band = `${nairaString(minimumAmount)} to ${nairaString(maximumAmount)}`;
  return [{ field: "amount", message: `must be from ${band}` }];
}

function tenorErrors(product: LoanProduct, { tenor, tenorType }: LoanTerms): TermsError[] {
  const offer = product.tenors[tenorType];
  if (offer === undefined) {
    return [{ field: "tenorType", message: `must be one of ${Object.keys(product.tenors).join(", ")}` }];
  }
  if (Number.isInteger(tenor) && tenor >= offer.shortest && tenor <= offer.longest) return [];
  return [{ field: "tenor", message: `must be a whole number from ${offer.shortest} to ${offer.longest}` }];
}

/** The rate of a period. Terms that the product does not offer are a bug of who checked them. */
export function rateOf(product: LoanProduct, tenorType: TenorType): Rate {
  const offer = product.tenors[tenorType];
  if (offer === undefined) throw new Error(`product ${product.code} offers no ${tenorType} tenor`);
  return offer.rate;
}

const percentDecimals = 4;

/** 0.2 for 2000 parts per million: percent as a JSON number. */
export function ratePercent(rate: Rate): number {
  return percentNumber(rate, percentDecimals);
}

/** The other way round; undefined for what has more than four decimals. */
export function rateFromPercent(percent: number): Rate | undefined {
  return percentParts(percent, percentDecimals);
}
