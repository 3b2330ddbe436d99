/**
 * The credit policy says who may borrow, how much and for how long: data with a version and a date, kept per
 * environment. A loan keeps the version that allowed it. docs/credit-policy.md tells it in words and is generated.
 */
import { larger } from "../../money/arithmetic.ts";
import { type Kobo, kobo, zeroKobo } from "../../money/kobo.ts";

export interface CreditTier {
  /** From so many completed loans on. */
  readonly completedLoans: number;
  /** What may be owed and asked for at once, in principal. */
  readonly limit: Kobo;
}

/** When a completed loan counts for the tier. */
export interface CountingRule {
  /**
   * So much of the amount lent must have come from the borrower, by card, wallet or bank, and stayed. Reported cash and
   * the merchant's refunds together may be no more than the rest.
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
  /** By rising completedLoans; the first is everybody's. */
  readonly tiers: readonly CreditTier[];
  readonly counting: CountingRule;
}

/** What every environment starts with. In force since long ago, because a sandbox's clock may be set back. */
export const startingPolicy: CreditPolicy = {
  version: 2,
  effectiveFrom: new Date("2000-01-01T00:00:00.000Z"),
  minimumAge: 18,
  mostOpenLoans: 2,
  minimumAmount: kobo(500_000n),
  tenors: [1, 3, 6, 9, 12],
  tiers: [
    { completedLoans: 0, limit: kobo(20_000_000n) },
    { completedLoans: 1, limit: kobo(35_000_000n) },
    { completedLoans: 3, limit: kobo(50_000_000n) },
  ],
  counting: { repaidPercent: 80, daysOut: 28 },
};

/** What the best customer may owe. */
export function highestLimit({ tiers }: CreditPolicy): Kobo {
  return tiers.reduce((highest, { limit }) => larger(highest, limit), zeroKobo);
}

/** The tier of a customer who has completed so many loans. */
export function tierOf(policy: CreditPolicy, completedLoans: number): CreditTier {
  const tier = policy.tiers.findLast((each) => each.completedLoans <= completedLoans);
  if (tier === undefined) throw new Error(`credit policy ${policy.version} has no tier for ${completedLoans} loans`);
  return tier;
}
