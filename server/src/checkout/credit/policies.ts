/** Finding and publishing credit policies. */
import type { Tx } from "../../platform/database/database.ts";
import { type CreditPolicy, startingPolicy } from "./policy.ts";
import { findPolicyInForce, insertPolicy } from "./policy-store.ts";

/** The policy that new loans are decided by, at the environment's time. */
export async function findPolicy(tx: Tx): Promise<CreditPolicy> {
  const policy = await findPolicyInForce(tx);
  if (policy === undefined) throw new Error(`environment ${tx.environment.id} has no credit policy in force`);
  return policy;
}

/** Puts a policy in force from its date on; loans made before keep their version. */
export async function publishPolicy(tx: Tx, policy: CreditPolicy): Promise<void> {
  await insertPolicy(tx, policy);
}

/** What an environment needs to lend at the checkout. Repeating it changes nothing. */
export async function openCheckout(tx: Tx): Promise<void> {
  await publishPolicy(tx, startingPolicy);
}
