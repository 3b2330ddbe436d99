/**
 * Accepting what a merchant names by a reference, through group commit: the first request makes the record, every later
 * one under the same reference finds it. Payments, bills and moves between own accounts all come in by this door.
 */
import { type Database, readEnvironment, type Tx } from "../platform/database/database.ts";
import { commonProblem, Problem } from "../platform/problem.ts";
import type { IdempotentRequest, KeptReply } from "../platform/records/idempotency.ts";
import { findByReference } from "../platform/records/reference-claims.ts";
import type { CommandKind } from "./command.ts";
import type { GroupCommit } from "./group-commit.ts";

export interface SubmitDependencies {
  readonly db: Database;
  readonly groupCommit: GroupCommit;
}

/** What a kind that accepts records returns. */
export type Acceptance<Made> =
  | { readonly accepted: Made }
  /** The reference belongs to this record already. */
  | { readonly takenBy: string };

/** Keeps the reply under the caller's Idempotency-Key. */
export interface KeepReply<Made> extends IdempotentRequest {
  present(made: Made): KeptReply;
}

export type Submitted<Made> =
  /** Repeated: the record that the reference stands for, as it is now. */
  | { readonly made: Made; readonly repeated: boolean }
  /** The reply that was kept under the Idempotency-Key. */
  | { readonly kept: KeptReply };

export interface Submission<Input, Made> {
  readonly environmentId: string;
  readonly input: Input;
  readonly keep: KeepReply<Made> | null;
  find(tx: Tx, id: string): Promise<Made | undefined>;
  /** The fields in which an earlier record differs from what is asked for now: reference_conflict unless none does. */
  differing(earlier: Made): readonly string[];
}

export interface Repeatable<Made> {
  readonly environmentId: string;
  /** Whose references these are. */
  readonly list: string;
  readonly reference: string;
  find(tx: Tx, id: string): Promise<Made | undefined>;
  differing(earlier: Made): readonly string[];
}

/** Tries to make a record. A refusal of today does not undo what was accepted under this reference before. */
export async function unlessMadeBefore<Made>(
  db: Database,
  { environmentId, list, reference, find, differing }: Repeatable<Made>,
  make: () => Promise<Submitted<Made>>,
): Promise<Submitted<Made>> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const earlier = await readEnvironment(db, environmentId, async (tx) => {
      const id = await findByReference(tx, list, reference);
      return id === null ? undefined : find(tx, id);
    });
    if (earlier === undefined) throw error;
    return repeatOf(earlier, differing(earlier));
  }
}

/** What a reference stands for already, unless it was used for something else. */
function repeatOf<Made>(earlier: Made, differing: readonly string[]): Submitted<Made> {
  if (differing.length > 0) throw commonProblem("reference_conflict", { data: { fields: differing } });
  return { made: earlier, repeated: true };
}

export async function submitOnce<Input, Made, Record>(
  deps: SubmitDependencies,
  kind: CommandKind<Input, Acceptance<Made>, Record>,
  submission: Submission<Input, Made>,
): Promise<Submitted<Made>> {
  const { environmentId, find, differing } = submission;
  // Bounded: the holder of a reference can vanish only by being refused in the very batch that turned us away.
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const answered = await commit(deps, kind, submission);
    if ("kept" in answered) return answered;
    if ("accepted" in answered) return { made: answered.accepted, repeated: false };
    const { takenBy } = answered;
    const earlier = await readEnvironment(deps.db, environmentId, (tx) => find(tx, takenBy));
    if (earlier !== undefined) return repeatOf(earlier, differing(earlier));
  }
  throw commonProblem("unavailable", { headers: { "retry-after": "1" } });
}

async function commit<Input, Made, Record>(
  { groupCommit }: SubmitDependencies,
  kind: CommandKind<Input, Acceptance<Made>, Record>,
  { environmentId, input, keep }: Submission<Input, Made>,
): Promise<Acceptance<Made> | { kept: KeptReply }> {
  if (keep === null) return groupCommit.submit(environmentId, kind, input);
  const outcome = await groupCommit.submitKept(environmentId, kind, input, {
    key: keep.key,
    requestHash: keep.requestHash,
    present: (output) => ("accepted" in output ? keep.present(output.accepted) : null),
  });
  return "replay" in outcome ? { kept: outcome.replay } : outcome.output;
}
