/**
 * Group commit. Money commands of one environment that arrive while the database is busy share one transaction, and
 * so one wait for the disk. A lone command starts at once, and a batch is whatever gathered while the one before it was
 * under way; when many environments are busy, a few of their batches go at a time and are larger. Nobody is answered
 * before COMMIT. A command that is refused (no funds, reference taken) does not harm its neighbours; if something
 * unexpected breaks a batch, its halves are tried apart until the culprit stands alone.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { type Database, inEnvironment } from "../platform/database/database.ts";
import { outageProblem } from "../platform/database/outage-problem.ts";
import { isConnectionLost } from "../platform/database/retry-transient.ts";
import type { KeptReply } from "../platform/records/idempotency.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import { createLanes } from "../platform/work/batch-lanes.ts";
import { createTurns, eventLoopTurns, type Turns } from "../platform/work/turns.ts";
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

interface Waiting extends Command {
  /** Runs something as its caller would: why a batch happens is why its first command does. */
  asCaller: ReturnType<typeof AsyncLocalStorage.snapshot>;
  answer(outcome: Outcome): void;
  fail(error: unknown): void;
}

export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  // Learnt from the first batch. Until then an environment may be live, and is served as one.
  const sandboxes = new Set<string>();
  const answering = new Set<Promise<void>>();
  const serving: Serving = { ...options, sandboxes, answering, turns: createTurns(eventLoopTurns) };
  const lanes = createLanes<Waiting>({
    slots: options.slots,
    reserved: Math.floor(options.slots / 4),
    comesFirst: (environmentId) => !sandboxes.has(environmentId),
    atOnce: 4,
    patienceMs: 100,
    batchSize: options.batchSize ?? 256,
    perLane: options.perEnvironment ?? 1,
    laneBound: options.queueBound ?? 10_000,
    serve: (environmentId, batch) => commitOrBisect(serving, environmentId, batch),
  });

  function enqueue(environmentId: string, command: Command): Promise<Outcome> {
    return new Promise((answer, fail) => {
      const taken = lanes.offer(environmentId, {
        ...command,
        asCaller: AsyncLocalStorage.snapshot(),
        answer,
        fail,
      });
      if (!taken) fail(ledgerProblem("ledger_busy", { headers: { "retry-after": "1" } }));
    });
  }

  /** A twin within one batch goes round once more; by then its sister is committed or gone. */
  async function settle(environmentId: string, command: Command): Promise<Final> {
    for (;;) {
      const outcome = await enqueue(environmentId, command);
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
    async drain() {
      await lanes.drain();
      await Promise.all(answering);
    },
  };
}

interface Serving extends Pick<GroupCommitOptions, "db" | "sealer"> {
  readonly sandboxes: Set<string>;
  readonly answering: Set<Promise<void>>;
  readonly turns: Turns;
}

/** Commits the batch and sees to it that everybody in it is answered, beside the next batch; never rejects. */
async function commitOrBisect(serving: Serving, environmentId: string, batch: readonly Waiting[]): Promise<void> {
  const { db, sandboxes } = serving;
  let outcomes: readonly Outcome[];
  try {
    const commit = () =>
      inEnvironment(db, environmentId, async (tx) => {
        if (tx.environment.kind === "SANDBOX") sandboxes.add(environmentId);
        return commitBatch(tx, serving, batch);
      });
    outcomes = await (batch[0]?.asCaller(commit) ?? commit());
  } catch (error) {
    return isolate(serving, environmentId, batch, error);
  }
  const told = answerAll(serving.turns, environmentId, batch, outcomes).finally(() => serving.answering.delete(told));
  serving.answering.add(told);
}

async function answerAll(
  turns: Turns,
  environmentId: string,
  batch: readonly Waiting[],
  outcomes: readonly Outcome[],
): Promise<void> {
  for (const [place, item] of batch.entries()) {
    const outcome = outcomes[place];
    await turns.take(environmentId, () => {
      if (outcome === undefined) item.fail(new Error(`${item.kind.name} gave no outcome`));
      else item.answer(outcome);
    });
  }
}

async function isolate(
  serving: Serving,
  environmentId: string,
  batch: readonly Waiting[],
  error: unknown,
): Promise<void> {
  if (isConnectionLost(error)) {
    // COMMIT may have been on its way, so nothing is repeated here: the caller asks by its reference.
    const problem = outageProblem(error, 1);
    for (const item of batch) item.fail(problem);
    return;
  }
  const [only] = batch;
  if (batch.length === 1 && only !== undefined) return only.fail(error);
  const middle = Math.ceil(batch.length / 2);
  await commitOrBisect(serving, environmentId, batch.slice(0, middle));
  await commitOrBisect(serving, environmentId, batch.slice(middle));
}
