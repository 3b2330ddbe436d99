/**
 * Group commit. Money commands of one environment that arrive while the database is busy share one transaction, and
 * so one wait for the disk. There is no timer: a lone command starts at once, and a batch is whatever gathered while
 * the two before it were under way. Nobody is answered before COMMIT. A command that is refused (no funds, reference
 * taken) does not harm its neighbours; if something unexpected breaks a batch, its halves are tried apart until the
 * culprit stands alone.
 */
import type { Sealer } from "../platform/crypto.ts";
import { type Database, inEnvironment } from "../platform/database.ts";
import type { KeptReply } from "../platform/idempotency.ts";
import { commonProblem } from "../platform/problem.ts";
import { isConnectionLost } from "../platform/retry-transient.ts";
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

interface Waiting extends Command {
  answer(outcome: Outcome): void;
  fail(error: unknown): void;
}

interface Lane {
  readonly environmentId: string;
  waiting: Waiting[];
  inFlight: number;
}

export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const { slots, batchSize = 256, perEnvironment = 2, queueBound = 10_000 } = options;
  // Insertion order is the turn: a lane that was served goes to the end.
  const lanes = new Map<string, Lane>();
  const idle: (() => void)[] = [];
  let running = 0;
  let pumpPlanned = false;

  function planPump(): void {
    if (pumpPlanned) return;
    pumpPlanned = true;
    // After the events of this turn of the loop, so that requests read together travel together.
    setImmediate(() => {
      pumpPlanned = false;
      pump();
    });
  }

  /** Starts as many batches as there are slots, one a lane and turn. */
  function pump(): void {
    let started = true;
    while (started && running < slots) {
      started = false;
      for (const lane of [...lanes.values()]) {
        if (running >= slots) return;
        if (lane.waiting.length === 0 || lane.inFlight >= perEnvironment) continue;
        lanes.delete(lane.environmentId);
        lanes.set(lane.environmentId, lane);
        void serve(lane, lane.waiting.splice(0, batchSize));
        started = true;
      }
    }
  }

  async function serve(lane: Lane, batch: Waiting[]): Promise<void> {
    running += 1;
    lane.inFlight += 1;
    await commitOrBisect(options, lane.environmentId, batch);
    running -= 1;
    lane.inFlight -= 1;
    if (lane.waiting.length === 0 && lane.inFlight === 0) lanes.delete(lane.environmentId);
    if (lanes.size === 0) for (const wake of idle.splice(0)) wake();
    pump();
  }

  function enqueue(environmentId: string, command: Command): Promise<Outcome> {
    const lane = lanes.get(environmentId) ?? { environmentId, waiting: [], inFlight: 0 };
    if (lane.waiting.length >= queueBound) {
      return Promise.reject(ledgerProblem("ledger_busy", { headers: { "retry-after": "1" } }));
    }
    lanes.set(environmentId, lane);
    return new Promise((answer, fail) => {
      lane.waiting.push({ ...command, answer, fail });
      planPump();
    });
  }

  /** A twin within one batch goes round once more; by then its sister is committed or gone. */
  async function settle(
    environmentId: string,
    command: Command,
  ): Promise<Exclude<Outcome, { is: "again" | "refused" }>> {
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
    drain() {
      return lanes.size === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve));
    },
  };
}

/** Commits the batch and answers everybody in it; never rejects. */
async function commitOrBisect(
  { db, sealer }: GroupCommitOptions,
  environmentId: string,
  batch: readonly Waiting[],
): Promise<void> {
  let outcomes: readonly Outcome[];
  try {
    outcomes = await inEnvironment(db, environmentId, (tx) => commitBatch(tx, sealer, batch));
  } catch (error) {
    return isolate({ db, sealer, slots: 1 }, environmentId, batch, error);
  }
  for (const [place, item] of batch.entries()) {
    const outcome = outcomes[place];
    if (outcome === undefined) item.fail(new Error(`${item.kind.name} gave no outcome`));
    else item.answer(outcome);
  }
}

async function isolate(
  options: GroupCommitOptions,
  environmentId: string,
  batch: readonly Waiting[],
  error: unknown,
): Promise<void> {
  if (isConnectionLost(error)) {
    // COMMIT may have been on its way, so nothing is repeated here: the caller asks by its reference.
    const problem = commonProblem("unavailable", { cause: error, headers: { "retry-after": "1" } });
    for (const item of batch) item.fail(problem);
    return;
  }
  const [only] = batch;
  if (batch.length === 1 && only !== undefined) return only.fail(error);
  const middle = Math.ceil(batch.length / 2);
  await commitOrBisect(options, environmentId, batch.slice(0, middle));
  await commitOrBisect(options, environmentId, batch.slice(middle));
}
