/**
 * Group commit. Money commands of one environment that arrive while the database is busy share one transaction, and
 * so one wait for the disk. There is no timer: a lone command starts at once, and a batch is whatever gathered while
 * the two before it were under way. Nobody is answered before COMMIT. A command that is refused (no funds, reference
 * taken) does not harm its neighbours; if something unexpected breaks a batch, its halves are tried apart until the
 * culprit stands alone.
 *
 *   waiting ──▶ plan (claims, compare-and-set) ──▶ post (ledger) ──▶ write (rows, events, jobs) ──▶ COMMIT ──▶ answer
 */
import { type Database, inEnvironment, type Tx } from "../platform/database.ts";
import { isConnectionLost } from "../platform/retry-transient.ts";
import { commonProblem, Problem } from "../platform/problem.ts";
import { ledgerProblem } from "./errors.ts";
import { type Posting, postBatch } from "./post.ts";

/** What a command turns out to be once its claims are known. */
export type Plan<Output> =
  | { readonly then: "post"; readonly posting: Posting }
  | { readonly then: "answer"; readonly output: Output }
  | { readonly then: "refuse"; readonly problem: Problem };

/** A kind of money command. All its functions work on many inputs at a time and answer in the same order. */
export interface CommandKind<Input, Output> {
  readonly name: string;
  /** Before the ledger: claims references, moves states by compare-and-set, says what to post. */
  plan(tx: Tx, inputs: readonly Input[]): Promise<readonly Plan<Output>[]>;
  /** After the ledger: takes back the claims of commands that lacked funds. */
  withdraw?(tx: Tx, inputs: readonly Input[]): Promise<void>;
  /** After the ledger: writes rows, events and jobs of the commands that were posted. List counters come last. */
  write(tx: Tx, inputs: readonly Input[]): Promise<readonly Output[]>;
}

export interface GroupCommit {
  submit<Input, Output>(environmentId: string, kind: CommandKind<Input, Output>, input: Input): Promise<Output>;
  /** Resolves when everything that was submitted has been answered. */
  drain(): Promise<void>;
}

export interface GroupCommitOptions {
  /** Transactions at the same time, over all environments; leave some of the pool to readers. */
  readonly slots: number;
  readonly batchSize?: number;
  readonly perEnvironment?: number;
  /** Commands that may wait in one environment before new ones are turned away. */
  readonly queueBound?: number;
}

type AnyKind = CommandKind<unknown, unknown>;

interface Waiting {
  readonly kind: AnyKind;
  readonly input: unknown;
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Lane {
  readonly environmentId: string;
  waiting: Waiting[];
  inFlight: number;
}

type Outcome = { readonly output: unknown } | { readonly problem: Problem };

export function createGroupCommit(db: Database, options: GroupCommitOptions): GroupCommit {
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

  function pump(): void {
    for (const lane of [...lanes.values()]) {
      if (running >= slots) return;
      if (lane.waiting.length === 0 || lane.inFlight >= perEnvironment) continue;
      lanes.delete(lane.environmentId);
      lanes.set(lane.environmentId, lane);
      void serve(lane, lane.waiting.splice(0, batchSize));
    }
    if (running < slots && [...lanes.values()].some((lane) => lane.waiting.length > 0 && lane.inFlight < perEnvironment)) {
      planPump();
    }
  }

  async function serve(lane: Lane, batch: Waiting[]): Promise<void> {
    running += 1;
    lane.inFlight += 1;
    await commitOrBisect(db, lane.environmentId, batch);
    running -= 1;
    lane.inFlight -= 1;
    if (lane.waiting.length === 0 && lane.inFlight === 0) lanes.delete(lane.environmentId);
    if (lanes.size === 0) for (const wake of idle.splice(0)) wake();
    pump();
  }

  return {
    submit(environmentId, kind, input) {
      const lane = lanes.get(environmentId) ?? { environmentId, waiting: [], inFlight: 0 };
      if (lane.waiting.length >= queueBound) {
        return Promise.reject(ledgerProblem("ledger_busy", { headers: { "retry-after": "1" } }));
      }
      lanes.set(environmentId, lane);
      return new Promise((resolve, reject) => {
        lane.waiting.push({ kind: kind as unknown as AnyKind, input, resolve: resolve as (output: unknown) => void, reject });
        planPump();
      });
    },
    drain() {
      if (lanes.size === 0) return Promise.resolve();
      return new Promise((resolve) => idle.push(resolve));
    },
  };
}

/** Commits the batch and answers everybody in it; never rejects. */
async function commitOrBisect(db: Database, environmentId: string, batch: readonly Waiting[]): Promise<void> {
  let outcomes: readonly Outcome[];
  try {
    outcomes = await inEnvironment(db, environmentId, (tx) => commitBatch(tx, batch));
  } catch (error) {
    return isolate(db, environmentId, batch, error);
  }
  for (const [place, item] of batch.entries()) {
    const outcome = outcomes[place];
    if (outcome === undefined) item.reject(new Error(`${item.kind.name} gave no outcome`));
    else if ("problem" in outcome) item.reject(outcome.problem);
    else item.resolve(outcome.output);
  }
}

async function isolate(db: Database, environmentId: string, batch: readonly Waiting[], error: unknown): Promise<void> {
  if (isConnectionLost(error)) {
    // COMMIT may have been on its way, so nothing is repeated here: the caller asks by its reference.
    const problem = commonProblem("unavailable", { cause: error, headers: { "retry-after": "1" } });
    for (const item of batch) item.reject(problem);
    return;
  }
  const [first] = batch;
  if (batch.length === 1 && first !== undefined) return first.reject(error);
  const middle = Math.ceil(batch.length / 2);
  await commitOrBisect(db, environmentId, batch.slice(0, middle));
  await commitOrBisect(db, environmentId, batch.slice(middle));
}

interface Planned {
  readonly item: Waiting;
  readonly place: number;
  readonly posting: Posting;
}

async function commitBatch(tx: Tx, batch: readonly Waiting[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = new Array(batch.length);
  const planned: Planned[] = [];
  for (const [kind, places] of placesByKind(batch)) {
    const plans = await kind.plan(tx, places.map((place) => batch[place]?.input));
    for (const [index, place] of places.entries()) {
      const plan = plans[index];
      const item = batch[place];
      if (plan === undefined || item === undefined) throw new Error(`${kind.name} planned too few commands`);
      if (plan.then === "answer") outcomes[place] = { output: plan.output };
      else if (plan.then === "refuse") outcomes[place] = { problem: plan.problem };
      else planned.push({ item, place, posting: plan.posting });
    }
  }
  const refused = await postBatch(tx, planned.map((entry) => entry.posting));
  await finish(tx, planned, refused, outcomes);
  return outcomes;
}

async function finish(tx: Tx, planned: readonly Planned[], refused: ReadonlySet<number>, outcomes: Outcome[]) {
  const unpaid = planned.filter((_, index) => refused.has(index));
  for (const [kind, entries] of groupByKind(unpaid)) {
    await kind.withdraw?.(tx, entries.map((entry) => entry.item.input));
    for (const entry of entries) outcomes[entry.place] = { problem: ledgerProblem("insufficient_funds") };
  }
  for (const [kind, entries] of groupByKind(planned.filter((_, index) => !refused.has(index)))) {
    const outputs = await kind.write(tx, entries.map((entry) => entry.item.input));
    for (const [index, entry] of entries.entries()) outcomes[entry.place] = { output: outputs[index] };
  }
}

/** Kinds are worked through by name, so that two batches take their locks in the same order. */
function placesByKind(batch: readonly Waiting[]): [AnyKind, number[]][] {
  const places = Map.groupBy(batch.keys(), (place) => batch[place]?.kind);
  return sortedByName([...places].flatMap(([kind, list]) => (kind === undefined ? [] : [[kind, list]])));
}

function groupByKind(planned: readonly Planned[]): [AnyKind, Planned[]][] {
  return sortedByName([...Map.groupBy(planned, (entry) => entry.item.kind)]);
}

function sortedByName<T>(groups: [AnyKind, T][]): [AnyKind, T][] {
  return groups.sort(([left], [right]) => (left.name < right.name ? -1 : 1));
}
