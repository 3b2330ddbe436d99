import type { Tx } from "../platform/database/database.ts";
import type { CommandKind } from "./command.ts";
import { post } from "./post.ts";

/**
 * Carries one command out in a transaction of the caller's, where it must commit together with something else. What
 * is refused is thrown, and takes the caller's transaction with it.
 */
export async function runCommand<Input, Output, Record>(
  tx: Tx,
  kind: CommandKind<Input, Output, Record>,
  input: Input,
): Promise<Output> {
  const [plan] = await kind.plan(tx, [input]);
  if (plan === undefined) throw new Error(`${kind.name} planned nothing`);
  if (plan.next === "refuse") throw plan.problem;
  if (plan.next === "answer") return plan.output;
  await post(tx, plan.posting);
  for (const posting of plan.also ?? []) await post(tx, posting);
  const [output] = await kind.write(tx, [plan.record]);
  if (output === undefined) throw new Error(`${kind.name} wrote nothing`);
  return output;
}
