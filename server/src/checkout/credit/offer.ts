/** What a customer can have: what the policy allows, within what the product of the checkout offers. Pure. */
import { type LoanProduct, type Rate, rateOf } from "../../lending/pricing/product.ts";
import { larger, smaller } from "../../money/arithmetic.ts";
import type { Kobo } from "../../money/kobo.ts";
import { type CreditDecision, type CreditFacts, decide } from "./decide.ts";
import { type CreditPolicy, highestLimit } from "./policy.ts";

export interface OfferedTenor {
  /** Months. */
  readonly tenor: number;
  /** Per month. */
  readonly rate: Rate;
}

export interface CreditOffer extends CreditDecision {
  /** The most that any customer may borrow. */
  readonly highestAmount: Kobo;
  readonly tenors: readonly OfferedTenor[];
}

export interface CreditRules {
  readonly policy: CreditPolicy;
  readonly product: LoanProduct;
}

export function offerFor({ policy, product }: CreditRules, facts: CreditFacts): CreditOffer {
  // The smallest loan is the larger of the two: with less room than that left, nothing can be borrowed.
  const minimumAmount = larger(policy.minimumAmount, product.minimumAmount);
  const decision = decide({ ...policy, minimumAmount }, facts);
  const rate = rateOf(product, "monthly");
  return {
    ...decision,
    maxAmount: smaller(decision.maxAmount, product.maximumAmount),
    highestAmount: smaller(highestLimit(policy), product.maximumAmount),
    tenors: policy.tenors.filter((tenor) => isOffered(product, tenor)).map((tenor) => ({ tenor, rate })),
  };
}

/** Months that the product has. */
export function isOffered({ tenors: { monthly } }: LoanProduct, tenor: number): boolean {
  return monthly !== undefined && tenor >= monthly.shortest && tenor <= monthly.longest;
}
