/**
 * What a loan costs: instalments with their dates, exact to the kobo. Every division names its rounding:
 *
 * - Flat interest is rounded half up once, for the whole loan. Principal, interest and fees are then split into equal
 *   parts, rounded down, and the last instalment takes what is left of each.
 * - With a reducing balance the instalment (the annuity) and each period's interest are rounded half up; the last
 *   instalment pays the rest of the principal and so takes the rounding. Because both round the same way, and a
 *   period's exact interest is never more than the exact instalment, principal is never negative.
 */
import { add } from "../../money/arithmetic.ts";
import { type Kobo, zeroKobo } from "../../money/kobo.ts";
import { type Calculation, inKobo } from "./calculation.ts";
import { type LoanProduct, type LoanTerms, type Rate, rateOf, ratePercent, type TenorType } from "./product.ts";

export interface PlannedInstalment {
  /** From 1. */
  readonly number: number;
  /** A date in Lagos. */
  readonly dueDate: Temporal.PlainDate;
  readonly principal: Kobo;
  readonly interest: Kobo;
  readonly fees: Kobo;
}

export interface Quote extends LoanTerms {
  /** Per period, in parts per million. */
  readonly rate: Rate;
  readonly startDate: Temporal.PlainDate;
  readonly endDate: Temporal.PlainDate;
  readonly instalments: readonly PlannedInstalment[];
  /** What each instalment but the last comes to. */
  readonly instalmentAmount: Kobo;
  readonly totalInterest: Kobo;
  readonly totalFees: Kobo;
  readonly totalRepayment: Kobo;
}

/** Prices terms that the product offers (see `termsErrors`), for a loan that starts on a date in Lagos. */
export function quote(product: LoanProduct, terms: LoanTerms, startDate: Temporal.PlainDate): Quote {
  const { amount, tenor, tenorType } = terms;
  const price = priceOf(inKobo, product, terms);
  const instalments = Array.from({ length: tenor }, (_, place) => ({
    number: place + 1,
    dueDate: dateAfter(startDate, tenorType, place + 1),
    principal: price.principalOf(place + 1),
    interest: price.interestOf(place + 1),
    fees: price.feesOf(place + 1),
  }));
  const [first] = instalments;
  if (first === undefined) throw new Error("a loan has at least one instalment");
  const [totalInterest, totalFees] = [price.totalInterest(), price.totalFees()];
  return {
    amount,
    tenor,
    tenorType,
    rate: rateOf(product, tenorType),
    startDate,
    endDate: dateAfter(startDate, tenorType, tenor),
    instalments,
    instalmentAmount: amountDue(first),
    totalInterest,
    totalFees,
    totalRepayment: add(amount, totalInterest, totalFees),
  };
}

export function amountDue({ principal, interest, fees }: Omit<PlannedInstalment, "number" | "dueDate">): Kobo {
  return add(principal, interest, fees);
}

/**
 * The amounts that make up a price. Each is computed once, when it is first asked for, so that an explanation contains
 * only the steps that lead to the figure it explains.
 */
export interface Price<Amount> extends InterestAndPrincipal<Amount> {
  /** The amount lent. */
  readonly amount: Amount;
  totalFees(): Amount;
  feesOf(number: number): Amount;
}

/** `number` is that of an instalment, from 1. */
interface InterestAndPrincipal<Amount> {
  totalInterest(): Amount;
  principalOf(number: number): Amount;
  interestOf(number: number): Amount;
}

interface Lent<Amount> {
  readonly amount: Amount;
  readonly rate: Rate;
  readonly tenor: number;
}

export function priceOf<Amount>(
  calculation: Calculation<Amount>,
  product: LoanProduct,
  terms: LoanTerms,
): Price<Amount> {
  const amount = calculation.given("amount", "The amount lent.", terms.amount);
  const lent: Lent<Amount> = { amount, rate: rateOf(product, terms.tenorType), tenor: terms.tenor };
  const interest = product.interestMethod === "flat" ? flatPrice(calculation, lent) : reducingPrice(calculation, lent);
  const fees = once(() => feePrice(calculation, product, lent));
  return { amount, ...interest, totalFees: () => fees().total, feesOf: (number) => fees().of(number) };
}

function flatPrice<Amount>(
  calculation: Calculation<Amount>,
  { amount, rate, tenor }: Lent<Amount>,
): InterestAndPrincipal<Amount> {
  const words = `Flat interest on the amount for ${tenor} periods, rounded once.`;
  const totalInterest = once(() => calculation.percent("interest", words, amount, rate, tenor));
  return {
    totalInterest,
    principalOf: equalParts(calculation, "principal", () => amount, tenor),
    interestOf: equalParts(calculation, "interest", totalInterest, tenor),
  };
}

/** Equal parts, rounded down; the last takes what is left. */
function equalParts<Amount>(
  calculation: Calculation<Amount>,
  name: string,
  total: () => Amount,
  count: number,
): (number: number) => Amount {
  const partWords = `An equal part of ${name} for each instalment.`;
  const lastWords = `The last part of ${name} takes what the rounding left.`;
  const equal = once(() => calculation.split(`${name}_part`, partWords, total(), count));
  const last = once(() => calculation.rest(`${name}[${count}]`, lastWords, total(), equal(), count));
  return (number) => (number === count ? last() : equal());
}

function reducingPrice<Amount>(calculation: Calculation<Amount>, lent: Lent<Amount>): InterestAndPrincipal<Amount> {
  const periods = once(() => amortise(calculation, lent));
  const at = (number: number): Period<Amount> => {
    const period = periods()[number - 1];
    if (period === undefined) throw new Error(`there is no period ${number}`);
    return period;
  };
  const interests = (): Amount[] => periods().map(({ interest }) => interest);
  return {
    totalInterest: once(() => calculation.sum("interest", "The interest of all periods.", interests())),
    principalOf: (number) => at(number).principal,
    interestOf: (number) => at(number).interest,
  };
}

interface Period<Amount> {
  readonly interest: Amount;
  readonly principal: Amount;
}

function amortise<Amount>(calculation: Calculation<Amount>, { amount, rate, tenor }: Lent<Amount>): Period<Amount>[] {
  const words = `The equal instalment that pays the amount off in ${tenor} periods.`;
  const instalment = calculation.annuity("instalment", words, amount, rate, tenor);
  const periods: Period<Amount>[] = [];
  let owed = amount;
  for (let number = 1; number <= tenor; number += 1) {
    const interestWords = `Interest of period ${number} on what is owed.`;
    const interest = calculation.percent(`interest[${number}]`, interestWords, owed, rate, 1);
    const principal =
      number === tenor
        ? lastPrincipal(calculation, number, owed)
        : principalWithin(calculation, { number, instalment, interest, owed });
    owed = calculation.difference(`owed[${number}]`, `Owed after instalment ${number}.`, owed, [principal]);
    periods.push({ interest, principal });
  }
  return periods;
}

function lastPrincipal<Amount>(calculation: Calculation<Amount>, number: number, owed: Amount): Amount {
  const words = "The last instalment pays the rest of the principal and takes the rounding.";
  return calculation.sum(`principal[${number}]`, words, [owed]);
}

interface PeriodStart<Amount> {
  readonly number: number;
  readonly instalment: Amount;
  readonly interest: Amount;
  readonly owed: Amount;
}

/** Only rates far beyond any real product pay a loan off before its last instalment, by the rounding alone. */
function principalWithin<Amount>(
  calculation: Calculation<Amount>,
  { number, instalment, interest, owed }: PeriodStart<Amount>,
): Amount {
  const roomWords = `What instalment ${number} leaves for principal.`;
  const room = calculation.difference(`room[${number}]`, roomWords, instalment, [interest]);
  const words = `Principal of instalment ${number}, never more than is owed.`;
  return calculation.smaller(`principal[${number}]`, words, room, owed);
}

interface FeePrice<Amount> {
  readonly total: Amount;
  of(number: number): Amount;
}

/** The fee for granting a loan: a part of the amount, rounded half up, and a fixed sum. */
function feePrice<Amount>(
  calculation: Calculation<Amount>,
  { fee }: LoanProduct,
  { amount, tenor }: Lent<Amount>,
): FeePrice<Amount> {
  if (fee.rate === 0n && fee.fixed === zeroKobo) {
    const none = calculation.given("fees", "The product takes no fee for granting the loan.", zeroKobo);
    return { total: none, of: () => none };
  }
  const shareWords = "The fee for granting the loan, as a part of the amount.";
  const share = calculation.percent("fee_share", shareWords, amount, fee.rate, 1);
  const fixed = calculation.given("fee_fixed", "The fixed part of the fee.", fee.fixed);
  const total = calculation.sum("fees", "The fee, spread over the instalments.", [share, fixed]);
  return { total, of: equalParts(calculation, "fees", () => total, tenor) };
}

/** A part of the whole instalment, paid or not, rounded half up, and at least the minimum. */
export function priceLateFee<Amount>(
  calculation: Calculation<Amount>,
  { lateFee: { rate, minimum } }: LoanProduct,
  { number, parts }: { readonly number: number; readonly parts: readonly Amount[] },
): Amount {
  const whole = calculation.sum(`instalment[${number}]`, `Instalment ${number}, paid or not.`, parts);
  const shareWords = `${ratePercent(rate)} % of instalment ${number}.`;
  const share = calculation.percent(`late_fee_share[${number}]`, shareWords, whole, rate, 1);
  const least = calculation.given("late_fee_minimum", "The smallest late fee.", minimum);
  const words = `The late fee of instalment ${number}, charged once.`;
  return calculation.larger(`late_fee[${number}]`, words, share, least);
}

export function lateFeeOf(product: LoanProduct, instalment: Omit<PlannedInstalment, "dueDate">): Kobo {
  const { number, principal, interest, fees } = instalment;
  return priceLateFee(inKobo, product, { number, parts: [principal, interest, fees] });
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Due dates are calendar dates in Lagos: they have no hour, and are not moved for weekends or holidays. */

/**
 * The date after `count` periods. Always counted from the first date, never from the one before: a month that is too
 * short ends a period early and the next one is back on its day (31 January, 28 February, 31 March).
 */
export function dateAfter(start: Temporal.PlainDate, tenorType: TenorType, count: number): Temporal.PlainDate {
  if (tenorType === "daily") return start.add({ days: count });
  if (tenorType === "weekly") return start.add({ weeks: count });
  return start.add({ months: count }, { overflow: "constrain" });
}
