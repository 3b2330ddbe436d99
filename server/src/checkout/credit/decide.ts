/** The credit decision, pure: what the policy says about a customer's facts. Every reason is given, not just the first. */
import { smaller, subtract } from "../../money/arithmetic.ts";
import { type Kobo, nairaString, zeroKobo } from "../../money/kobo.ts";
import type { KycStatus } from "../customers/customer.ts";
import { type CreditPolicy, type RepaidLoans, tierOf } from "./policy.ts";

export interface CreditFacts extends RepaidLoans {
  readonly kycStatus: KycStatus;
  /** In whole years; null where the birthday is not known. */
  readonly age: number | null;
  /** Asked for, approved or out, and not completed. */
  readonly openLoans: number;
  readonly overdueLoans: number;
  readonly writtenOffLoans: number;
  /** Principal that is owed, and that is asked for and may still be paid out. */
  readonly exposure: Kobo;
  /** The same at all merchants of the lender, by anybody who has the BVN, NIN, phone or a card of this customer. */
  readonly atLender: LenderStanding;
}

export interface LenderStanding {
  readonly openLoans: number;
  readonly overdueLoans: number;
  readonly writtenOffLoans: number;
  readonly exposure: Kobo;
}

export const reasonCodes = [
  "kyc_pending",
  "kyc_failed",
  "underage",
  "overdue_loan",
  "written_off_loan",
  "too_many_open_loans",
  "exposure_reached",
  "lender_limit_reached",
] as const;

export interface CreditReason {
  readonly code: (typeof reasonCodes)[number];
  /** Says what can be done. */
  readonly message: string;
}

export interface CreditDecision {
  readonly eligible: boolean;
  readonly reasons: readonly CreditReason[];
  readonly minAmount: Kobo;
  /** The room that is left below the limit; nothing while something speaks against a loan. */
  readonly maxAmount: Kobo;
}

type Rule = (policy: CreditPolicy, facts: CreditFacts) => string | null;

/** Each returns its sentence when it speaks against a loan. */
const rules: Readonly<Record<CreditReason["code"], Rule>> = {
  kyc_pending: (_, { kycStatus }) =>
    kycStatus === "pending" ? "The customer's identity is not confirmed yet. Try again in a few minutes." : null,
  kyc_failed: (_, { kycStatus }) =>
    kycStatus === "failed"
      ? "The customer's identity could not be confirmed. Onboard again with the name and birthday of the BVN."
      : null,
  underage: ({ minimumAge }, { age }) =>
    age !== null && age < minimumAge ? `The customer must be ${minimumAge} years old. Take another way to pay.` : null,
  overdue_loan: (_, { overdueLoans }) =>
    overdueLoans > 0 ? "An instalment is overdue. The customer can borrow again once it is paid." : null,
  written_off_loan: (_, { writtenOffLoans }) =>
    writtenOffLoans > 0 ? "An earlier loan was written off. Only the lender can lift this; write to support." : null,
  too_many_open_loans: ({ mostOpenLoans }, { openLoans }) =>
    openLoans >= mostOpenLoans
      ? `The customer has ${openLoans} open loans and may have ${mostOpenLoans}. Complete or cancel one first.`
      : null,
  exposure_reached: (policy, facts) => {
    const limit = tierOf(policy, facts).limit;
    return roomLeft(policy, facts) < policy.minimumAmount
      ? `Of the limit of ${nairaString(limit)} NGN less than a loan's minimum is left. Repay some of it first.`
      : null;
  },
  lender_limit_reached: (policy, facts) =>
    isHeldElsewhere(policy, facts) ? "The lender lends no more to this person now. Take another way to pay." : null,
};

/** Something outside of this customer's record holds a loan back. What and where it is stays untold. */
function isHeldElsewhere(policy: CreditPolicy, facts: CreditFacts): boolean {
  const { atLender } = facts;
  return (
    (atLender.overdueLoans > 0 && facts.overdueLoans === 0) ||
    (atLender.writtenOffLoans > 0 && facts.writtenOffLoans === 0) ||
    (atLender.openLoans >= policy.mostOpenLoans && facts.openLoans < policy.mostOpenLoans) ||
    (roomAtLender(policy, facts) < policy.minimumAmount && roomLeft(policy, facts) >= policy.minimumAmount)
  );
}

export function decide(policy: CreditPolicy, facts: CreditFacts): CreditDecision {
  const reasons = reasonCodes.flatMap((code) => {
    const message = rules[code](policy, facts);
    return message === null ? [] : [{ code, message }];
  });
  const eligible = reasons.length === 0;
  return {
    eligible,
    reasons,
    minAmount: policy.minimumAmount,
    maxAmount: eligible ? smaller(roomLeft(policy, facts), roomAtLender(policy, facts)) : zeroKobo,
  };
}

function roomAtLender(policy: CreditPolicy, facts: CreditFacts): Kobo {
  return roomLeft(policy, { ...facts, exposure: facts.atLender.exposure });
}

function roomLeft(policy: CreditPolicy, facts: RepaidLoans & Pick<CreditFacts, "exposure">): Kobo {
  const room = subtract(tierOf(policy, facts).limit, facts.exposure);
  return room > 0n ? room : zeroKobo;
}
