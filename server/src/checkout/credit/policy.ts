/**
 * The credit policy says who may borrow, how much and for how long: data with a version and a date, kept per
 * environment. A loan keeps the version that allowed it. docs/credit-policy.md tells it in words and is generated.
 */
import { larger } from "../../money/arithmetic.ts";
import { type Kobo, kobo, zeroKobo } from "../../money/kobo.ts";

export interface CreditTier {
  /** From so many completed loans on. */
  readonly completedLoans: number;
  /** And from so much on that the borrower has repaid of them: three small loans prove little about a large one. */
  readonly repaidAmount: Kobo;
  /** What may be owed and asked for at once, in principal. */
  readonly limit: Kobo;
}

/** When a completed loan counts for the tier. */
export interface CountingRule {
  /**
   * So much of the amount lent must have come from the borrower's card and stayed. Everything else is debited to a
   * wallet of the merchant, whatever it is called, and proves nothing about the borrower: with the merchant's refunds
   * it may be no more than the rest.
   */
  readonly repaidPercent: number;
  /** And the loan must have been out so long: money that comes back at once proves nothing. */
  readonly daysOut: number;
}

export interface CreditPolicy {
  readonly version: number;
  readonly effectiveFrom: Date;
  /** In years, where the birthday is known. */
  readonly minimumAge: number;
  /** At all merchants of the lender. */
  readonly mostOpenLoans: number;
  readonly minimumAmount: Kobo;
  /** Months. */
  readonly tenors: readonly number[];
  /** By rising completedLoans and repaidAmount; the first is everybody's. */
  readonly tiers: readonly CreditTier[];
  readonly counting: CountingRule;
}

/**
 * What every environment starts with. In force since long ago, because a sandbox's clock may be set back. A limit rises
 * by no more than what was repaid.
 */
export const startingPolicy: CreditPolicy = {
  version: 3,
  effectiveFrom: new Date("2000-01-01T00:00:00.000Z"),
  minimumAge: 18,
  mostOpenLoans: 2,
  minimumAmount: kobo(500_000n),
  tenors: [1, 3, 6, 9, 12],
  tiers: [
    { completedLoans: 0, repaidAmount: zeroKobo, limit: kobo(20_000_000n) },
    { completedLoans: 1, repaidAmount: kobo(15_000_000n), limit: kobo(35_000_000n) },
    { completedLoans: 3, repaidAmount: kobo(30_000_000n), limit: kobo(50_000_000n) },
  ],
  counting: { repaidPercent: 80, daysOut: 28 },
};

/** What the best customer may owe. */
export function highestLimit({ tiers }: CreditPolicy): Kobo {
  return tiers.reduce((highest, { limit }) => larger(highest, limit), zeroKobo);
}

/** What a person has repaid, of loans that count. */
export interface RepaidLoans {
  readonly completedLoans: number;
  /** By the person's own means. */
  readonly repaidAmount: Kobo;
}

export const nothingRepaid: RepaidLoans = { completedLoans: 0, repaidAmount: zeroKobo };

/** The highest tier of which the person has both the number of loans and the amount. */
export function tierOf(policy: CreditPolicy, { completedLoans, repaidAmount }: RepaidLoans): CreditTier {
  const tier = policy.tiers.findLast(
    (each) => each.completedLoans <= completedLoans && each.repaidAmount <= repaidAmount,
  );
  if (tier === undefined) throw new Error(`credit policy ${policy.version} has no tier for ${completedLoans} loans`);
  return tier;
}
