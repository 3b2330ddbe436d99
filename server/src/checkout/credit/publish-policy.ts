/** An operator publishes a credit policy: checked as a whole, from a date on. Loans keep the version that allowed them. */
import type { LoanProduct } from "../../lending/pricing/product.ts";
import { checkoutCode, findProductAt } from "../../lending/pricing/products.ts";
import { nairaString } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import { commonProblem, type FieldError } from "../../platform/problem.ts";
import { type Figures, publishVersion, versionAt } from "../../platform/records/dated-version.ts";
import type { CreditFacts } from "./decide.ts";
import { type CreditOffer, isOffered, offerFor } from "./offer.ts";
import { findPolicy } from "./policies.ts";
import type { CreditPolicy } from "./policy.ts";
import { insertPolicy, readPolicies } from "./policy-store.ts";

/** Works inside the environment. The same version and content again changes nothing. */
export async function publishRules(tx: Tx, wanted: CreditPolicy, confirmed: boolean) {
  const policies = () => readPolicies(tx);
  return publishVersion({
    wanted,
    now: tx.environment.clock.now(),
    confirmed,
    find: async (number) => (await policies()).find(({ version }) => version === number),
    latest: async () => Math.max(0, ...(await policies()).map(({ version }) => version)),
    inForceAt: async (moment) => versionAt(await policies(), moment),
    faults: async (policy) => policyFaults(policy, await findProductAt(tx, checkoutCode, policy.effectiveFrom)),
    figures: figuresOf,
    insert: (policy) => insertPolicy(tx, policy),
  });
}

export interface Preview {
  readonly facts: CreditFacts;
  readonly current: CreditOffer;
  readonly proposed: CreditOffer;
}

/** What the policy in force decides about each, and what another one would. Writes nothing; throws validation_failed. */
export async function previewRules(tx: Tx, wanted: CreditPolicy, people: readonly CreditFacts[]): Promise<Preview[]> {
  const [policy, product] = [await findPolicy(tx), await findProductAt(tx, checkoutCode, tx.environment.clock.now())];
  const later = await findProductAt(tx, checkoutCode, wanted.effectiveFrom);
  const errors = policyFaults(wanted, later);
  if (errors.length > 0) throw commonProblem("validation_failed", { errors });
  return people.map((facts) => ({
    facts,
    current: offerFor({ policy, product }, facts),
    proposed: offerFor({ policy: wanted, product: later }, facts),
  }));
}

/** What a schema cannot see: rules that contradict each other, or the product of that day. */
function policyFaults({ minimumAmount, tenors, tiers }: CreditPolicy, product: LoanProduct): FieldError[] {
  const { maximumAmount } = product;
  return [
    ...(minimumAmount <= maximumAmount
      ? []
      : [{ field: "minAmount", message: `must be at most ${nairaString(maximumAmount)}, the product's largest loan` }]),
    ...tenors.flatMap((tenor, place) => {
      const field = `tenors[${place}]`;
      if (tenor <= (tenors[place - 1] ?? 0)) return [{ field, message: "must be larger than the one before" }];
      return isOffered(product, tenor) ? [] : [{ field, message: `${tenor} months are not offered by the product` }];
    }),
    ...tiers.flatMap((_, place) => tierFaults(tiers, place, minimumAmount)),
  ];
}

/** What a new version of the product would take from under the policies that count from its date on. */
export async function productInUseFaults(tx: Tx, product: LoanProduct): Promise<FieldError[]> {
  if (product.code !== checkoutCode) return [];
  const all = await readPolicies(tx);
  const current = versionAt(all, product.effectiveFrom);
  const used = all.filter((policy) => policy === current || policy.effectiveFrom > product.effectiveFrom);
  return used.flatMap(({ version, tenors, minimumAmount }) => {
    const lacking = tenors.filter((tenor) => !isOffered(product, tenor));
    const own = `credit policy ${version}`;
    return [
      ...(lacking.length === 0
        ? []
        : [{ field: "tenors.monthly", message: `must have ${lacking.join(", ")} months, which ${own} offers` }]),
      ...(minimumAmount <= product.maximumAmount
        ? []
        : [{ field: "maxAmount", message: `must be at least ${nairaString(minimumAmount)}, the minimum of ${own}` }]),
    ];
  });
}

function tierFaults(tiers: CreditPolicy["tiers"], place: number, minimumAmount: bigint): FieldError[] {
  const [tier, before] = [tiers[place], tiers[place - 1]];
  if (tier === undefined) return [];
  const completed = { field: `tiers[${place}].completedLoans` };
  const repaid = { field: `tiers[${place}].repaidAmount` };
  const limit = { field: `tiers[${place}].limit` };
  return [
    ...(before === undefined && tier.completedLoans !== 0
      ? [{ ...completed, message: "must be 0: the first tier is everybody's" }]
      : []),
    ...(before !== undefined && tier.completedLoans <= before.completedLoans
      ? [{ ...completed, message: "must be larger than in the tier before" }]
      : []),
    ...(before === undefined && tier.repaidAmount !== 0n
      ? [{ ...repaid, message: "must be 0: the first tier is everybody's" }]
      : []),
    ...(before !== undefined && tier.repaidAmount < before.repaidAmount
      ? [{ ...repaid, message: "must not be below that of the tier before" }]
      : []),
    ...(before !== undefined && tier.limit < before.limit
      ? [{ ...limit, message: "must not be below the limit of the tier before" }]
      : []),
    ...(tier.limit < minimumAmount ? [{ ...limit, message: "must not be below minAmount" }] : []),
  ];
}

function figuresOf({ minimumAmount, mostOpenLoans, tiers }: CreditPolicy): Figures {
  const steps = tiers.flatMap(({ repaidAmount, limit }, place) => [
    [`tiers[${place}].repaidAmount`, repaidAmount] as const,
    [`tiers[${place}].limit`, limit] as const,
  ]);
  return { minAmount: minimumAmount, mostOpenLoans: BigInt(mostOpenLoans), ...Object.fromEntries(steps) };
}
