/**
 * Group commit. Money commands of one environment that arrive while the database is busy share one transaction, and
 * so one wait for the disk. A lone command starts at once, and a batch is whatever gathered while the one before it was
 * under way; when many environments are busy, a few of their batches go at a time and are larger. Nobody is answered
 * before COMMIT. A command that is refused (no funds, reference taken) does not harm its neighbours; if something
 * unexpected breaks a batch, its halves are tried apart until the culprit stands alone.
 */
import { type Database, inEnvironment } from "../platform/database/database.ts";
import { outageProblem } from "../platform/database/outage-problem.ts";
import { isConnectionLost } from "../platform/database/retry-transient.ts";
import type { KeptReply } from "../platform/records/idempotency.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import { createBatches } from "../platform/work/batches.ts";
import type { CommandKind } from "./command.ts";
import { type AnyKind, type Command, commitBatch, type Keep, type Outcome } from "./commit-batch.ts";
import { ledgerProblem } from "./errors.ts";

export interface GroupCommit {
  submit<Input, Output, Record>(
    environmentId: string,
    kind: CommandKind<Input, Output, Record>,
    input: Input,
  ): Promise<Output>;
  /** As submit, for a caller who sent an Idempotency-Key: the reply is kept with the effect, a repeat replays it. */
  submitKept<Input, Output, Record>(
    environmentId: string,
    kind: CommandKind<Input, Output, Record>,
    input: Input,
    keep: { key: string; requestHash: Buffer; present(output: Output): KeptReply | null },
  ): Promise<{ output: Output } | { replay: KeptReply }>;
  /** Resolves when everything that was submitted has been answered. */
  drain(): Promise<void>;
}

export interface GroupCommitOptions {
  readonly db: Database;
  readonly sealer: Sealer;
  /** Transactions at the same time, over all environments; leave some of the pool to readers. */
  readonly slots: number;
  readonly batchSize?: number;
  readonly perEnvironment?: number;
  /** Commands that may wait in one environment before new ones are turned away. */
  readonly queueBound?: number;
}

/** How many connections of a pool may carry batches: readers, the agenda and the worker need the others. */
export function groupCommitSlots(poolSize: number): number {
  return Math.max(2, poolSize - 4);
}

type Final = Exclude<Outcome, { readonly is: "again" | "refused" }>;

export function createGroupCommit({ db, sealer, slots, ...options }: GroupCommitOptions): GroupCommit {
  // Learnt from the first batch. Until then an environment may be live, and is served as one.
  const sandboxes = new Set<string>();
  const batches = createBatches<Command, Outcome>({
    slots,
    reserved: Math.floor(slots / 4),
    comesFirst: (environmentId) => !sandboxes.has(environmentId),
    atOnce: 4,
    patienceMs: 100,
    batchSize: options.batchSize ?? 256,
    perLane: options.perEnvironment ?? 1,
    laneBound: options.queueBound ?? 10_000,
    serve: (environmentId, commands) =>
      inEnvironment(db, environmentId, (tx) => {
        if (tx.environment.kind === "SANDBOX") sandboxes.add(environmentId);
        return commitBatch(tx, { sealer }, commands);
      }),
    // COMMIT may have been on its way, so nothing is repeated: the caller asks by its reference.
    failsAll: (error) => (isConnectionLost(error) ? outageProblem(error, 1) : undefined),
    full: () => ledgerProblem("ledger_busy", { headers: { "retry-after": "1" } }),
  });

  /** A twin within one batch goes round once more; by then its sister is committed or gone. */
  async function settle(environmentId: string, command: Command): Promise<Final> {
    for (;;) {
      const outcome = await batches.submit(environmentId, command);
      if (outcome.is === "refused") throw outcome.problem;
      if (outcome.is !== "again") return outcome;
    }
  }

  return {
    async submit<Input, Output, Record>(environmentId: string, kind: CommandKind<Input, Output, Record>, input: Input) {
      const outcome = await settle(environmentId, { kind: kind as unknown as AnyKind, input, keep: null });
      if (outcome.is === "replayed") throw new Error("a command without a key cannot be replayed");
      return outcome.output as Output;
    },
    async submitKept<Input, Output, Record>(
      environmentId: string,
      kind: CommandKind<Input, Output, Record>,
      input: Input,
      keep: { key: string; requestHash: Buffer; present(output: Output): KeptReply | null },
    ) {
      const command = { kind: kind as unknown as AnyKind, input, keep: keep as unknown as Keep };
      const outcome = await settle(environmentId, command);
      return outcome.is === "replayed" ? { replay: outcome.reply } : { output: outcome.output as Output };
    },
    drain: batches.drain,
  };
}
