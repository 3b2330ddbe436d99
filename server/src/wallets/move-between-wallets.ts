/** A move between own accounts, from request to answer. A repeated reference is answered from its movement. */
import type { GroupCommit } from "../ledger/group-commit.ts";
import { type Database, inEnvironment } from "../platform/database.ts";
import type { IdempotentRequest, KeptReply } from "../platform/idempotency.ts";
import { commonProblem } from "../platform/problem.ts";
import { walletProblem } from "./errors.ts";
import type { Movement } from "./movement.ts";
import { findMovement } from "./movement-store.ts";
import { moveBetweenWallets, type OwnTransfer, type OwnTransferOutcome } from "./own-transfer.ts";

export interface MoveDependencies {
  readonly db: Database;
  readonly groupCommit: GroupCommit;
}

/** Keeps the reply under the caller's Idempotency-Key. */
export interface KeepMovement extends IdempotentRequest {
  present(movement: Movement): KeptReply;
}

export type Moved = { readonly movement: Movement; readonly replayed: boolean } | { readonly kept: KeptReply };

export async function moveMoney(
  deps: MoveDependencies,
  environmentId: string,
  transfer: OwnTransfer,
  keep: KeepMovement | null,
): Promise<Moved> {
  if (transfer.from === transfer.to) throw walletProblem("same_account");
  // Bounded: the holder of a reference can vanish only by being refused in the very batch that turned us away.
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const outcome = await commit(deps, environmentId, transfer, keep);
    if ("kept" in outcome) return outcome;
    if ("moved" in outcome) return { movement: outcome.moved, replayed: false };
    const { takenBy } = outcome;
    const read = { readOnly: true };
    const earlier = await inEnvironment(deps.db, environmentId, (tx) => findMovement(tx, takenBy), read);
    if (earlier !== undefined) return replay(earlier, transfer);
  }
  throw commonProblem("unavailable", { headers: { "retry-after": "1" } });
}

async function commit(
  { groupCommit }: MoveDependencies,
  environmentId: string,
  transfer: OwnTransfer,
  keep: KeepMovement | null,
): Promise<OwnTransferOutcome | { kept: KeptReply }> {
  if (keep === null) return groupCommit.submit(environmentId, moveBetweenWallets, transfer);
  const outcome = await groupCommit.submitKept(environmentId, moveBetweenWallets, transfer, {
    key: keep.key,
    requestHash: keep.requestHash,
    present: (output) => ("moved" in output ? keep.present(output.moved) : null),
  });
  return "replay" in outcome ? { kept: outcome.replay } : outcome.output;
}

function replay(earlier: Movement, wanted: OwnTransfer): Moved {
  const fields = (["from", "to", "amount"] as const).filter((field) => earlier[field] !== wanted[field]);
  if (fields.length > 0) throw commonProblem("reference_conflict", { data: { fields } });
  return { movement: earlier, replayed: true };
}
