/** A move between own accounts, from request to answer. A repeated reference is answered from its movement. */
import type { GroupCommit } from "../ledger/group-commit.ts";
import { type KeepReply, type Submitted, submitOnce } from "../ledger/submit-once.ts";
import type { Database } from "../platform/database/database.ts";
import { walletProblem } from "./errors.ts";
import type { Movement } from "./movement.ts";
import { findMovement } from "./movement-store.ts";
import { moveBetweenWallets, type OwnTransfer } from "./own-transfer.ts";

export interface MoveDependencies {
  readonly db: Database;
  readonly groupCommit: GroupCommit;
}

export async function moveMoney(
  deps: MoveDependencies,
  environmentId: string,
  transfer: OwnTransfer,
  keep: KeepReply<Movement> | null,
): Promise<Submitted<Movement>> {
  if (transfer.from === transfer.to) throw walletProblem("same_account");
  const differing = (earlier: Movement) =>
    (["from", "to", "amount"] as const).filter((field) => earlier[field] !== transfer[field]);
  const submission = { environmentId, input: transfer, keep, find: findMovement, differing };
  return submitOnce(deps, moveBetweenWallets, submission);
}
