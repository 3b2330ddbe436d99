/** Rows of credit policies. In JSON an amount is a whole number of kobo. */
import { kobo } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import { type CountingRule, type CreditPolicy, startingPolicy } from "./policy.ts";

interface StoredRules {
  readonly minimumAge: number;
  readonly mostOpenLoans: number;
  readonly minimumAmount: number;
  readonly tenors: readonly number[];
  readonly tiers: readonly { readonly completedLoans: number; readonly limit: number }[];
  /** Versions of before it was a rule have none. */
  readonly counting?: CountingRule;
}

/** The newest version that is in force at the environment's time. */
export async function findPolicyInForce(tx: Tx): Promise<CreditPolicy | undefined> {
  const row = await tx
    .selectFrom("credit_policies")
    .select(["version", "effective_from", "rules"])
    .where("environment_id", "=", tx.environment.id)
    .where("effective_from", "<=", tx.environment.clock.now())
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const rules = row.rules as StoredRules;
  return {
    version: row.version,
    effectiveFrom: row.effective_from,
    minimumAge: rules.minimumAge,
    mostOpenLoans: rules.mostOpenLoans,
    minimumAmount: kobo(BigInt(rules.minimumAmount)),
    tenors: rules.tenors,
    tiers: rules.tiers.map(({ completedLoans, limit }) => ({ completedLoans, limit: kobo(BigInt(limit)) })),
    counting: rules.counting ?? startingPolicy.counting,
  };
}

/** Versions are never changed: one that is there already stays as it is. */
export async function insertPolicy(tx: Tx, policy: CreditPolicy): Promise<void> {
  const rules: StoredRules = {
    minimumAge: policy.minimumAge,
    mostOpenLoans: policy.mostOpenLoans,
    minimumAmount: Number(policy.minimumAmount),
    tenors: policy.tenors,
    tiers: policy.tiers.map(({ completedLoans, limit }) => ({ completedLoans, limit: Number(limit) })),
    counting: policy.counting,
  };
  await tx
    .insertInto("credit_policies")
    .values({
      environment_id: tx.environment.id,
      version: policy.version,
      effective_from: policy.effectiveFrom,
      rules: JSON.stringify(rules),
      created_at: tx.environment.clock.now(),
    })
    .onConflict((conflict) => conflict.columns(["environment_id", "version"]).doNothing())
    .execute();
}
