/** Rows of credit policies. In JSON an amount is a whole number of kobo. */
import { kobo } from "../../money/kobo.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { Row } from "../../platform/database/row.ts";
import { type CountingRule, type CreditPolicy, startingPolicy } from "./policy.ts";

interface StoredTier {
  readonly completedLoans: number;
  /** Versions of before it was a rule have none. */
  readonly repaidAmount?: number;
  readonly limit: number;
}

interface StoredRules {
  readonly minimumAge: number;
  readonly mostOpenLoans: number;
  readonly minimumAmount: number;
  readonly tenors: readonly number[];
  readonly tiers: readonly StoredTier[];
  /** Versions of before it was a rule have none. */
  readonly counting?: CountingRule;
}

/** All versions, the one that counts longest ahead first. */
export async function readPolicies(tx: Tx): Promise<CreditPolicy[]> {
  const rows = await policies(tx).limit(1000).execute();
  return rows.map(toPolicy);
}

/** What counts at the environment's time: the latest date, and of one date the highest version. */
export async function findPolicyInForce(tx: Tx): Promise<CreditPolicy | undefined> {
  const row = await policies(tx).where("effective_from", "<=", tx.environment.clock.now()).limit(1).executeTakeFirst();
  return row === undefined ? undefined : toPolicy(row);
}

function policies(tx: Tx) {
  return tx
    .selectFrom("credit_policies")
    .select(["version", "effective_from", "rules"])
    .where("environment_id", "=", tx.environment.id)
    .orderBy("effective_from", "desc")
    .orderBy("version", "desc");
}

function toPolicy(row: Row<"credit_policies", "version" | "effective_from" | "rules">): CreditPolicy {
  const rules = row.rules as unknown as StoredRules;
  return {
    version: row.version,
    effectiveFrom: row.effective_from,
    minimumAge: rules.minimumAge,
    mostOpenLoans: rules.mostOpenLoans,
    minimumAmount: kobo(BigInt(rules.minimumAmount)),
    tenors: rules.tenors,
    tiers: rules.tiers.map(({ completedLoans, repaidAmount = 0, limit }) => ({
      completedLoans,
      repaidAmount: kobo(BigInt(repaidAmount)),
      limit: kobo(BigInt(limit)),
    })),
    counting: rules.counting ?? startingPolicy.counting,
  };
}

/** Versions are never changed: one that is there already stays as it is. False then. */
export async function insertPolicy(tx: Tx, policy: CreditPolicy): Promise<boolean> {
  const rules: StoredRules = {
    minimumAge: policy.minimumAge,
    mostOpenLoans: policy.mostOpenLoans,
    minimumAmount: Number(policy.minimumAmount),
    tenors: policy.tenors,
    tiers: policy.tiers.map(({ completedLoans, repaidAmount, limit }) => ({
      completedLoans,
      repaidAmount: Number(repaidAmount),
      limit: Number(limit),
    })),
    counting: policy.counting,
  };
  const inserted = await tx
    .insertInto("credit_policies")
    .values({
      environment_id: tx.environment.id,
      version: policy.version,
      effective_from: policy.effectiveFrom,
      rules: JSON.stringify(rules),
      created_at: tx.environment.clock.now(),
    })
    .onConflict((conflict) => conflict.columns(["environment_id", "version"]).doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}
