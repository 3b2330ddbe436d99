/** A move between own accounts, from request to answer. A repeated reference is answered from its movement. */
import type { GroupCommit } from "../ledger/group-commit.ts";
import { type KeepReply, submitOnce } from "../ledger/submit-once.ts";
import type { Database } from "../platform/database/database.ts";
import { commonProblem } from "../platform/problem.ts";
import type { KeptReply } from "../platform/records/idempotency.ts";
import { walletProblem } from "./errors.ts";
import type { Movement } from "./movement.ts";
import { findMovement } from "./movement-store.ts";
import { moveBetweenWallets, type OwnTransfer } from "./own-transfer.ts";

export interface MoveDependencies {
  readonly db: Database;
  readonly groupCommit: GroupCommit;
}

export type Moved = { readonly movement: Movement; readonly replayed: boolean } | { readonly kept: KeptReply };

export async function moveMoney(
  deps: MoveDependencies,
  environmentId: string,
  transfer: OwnTransfer,
  keep: KeepReply<Movement> | null,
): Promise<Moved> {
  if (transfer.from === transfer.to) throw walletProblem("same_account");
  const submission = { environmentId, input: transfer, keep, find: findMovement };
  const submitted = await submitOnce(deps, moveBetweenWallets, submission);
  if ("kept" in submitted) return submitted;
  if ("earlier" in submitted) return replay(submitted.earlier, transfer);
  return { movement: submitted.made, replayed: false };
}

function replay(earlier: Movement, wanted: OwnTransfer): Moved {
  const fields = (["from", "to", "amount"] as const).filter((field) => earlier[field] !== wanted[field]);
  if (fields.length > 0) throw commonProblem("reference_conflict", { data: { fields } });
  return { movement: earlier, replayed: true };
}
