/**
 * Callers that ask the same kind of question in one environment at the same moment share a transaction and its
 * statements: to begin, to enter the environment and to end costs more than to find one record by its key. A question
 * that finds nobody under way starts in this turn of the event loop, and those that come meanwhile are asked together
 * when it has been answered. Nobody gets the answer to what was asked before they came: a caller who was told of a
 * write sees it. Nothing is kept.
 *
 * For questions that an index answers at once. Each has lanes of its own, so one that waits holds up no other, and the
 * environments take turns. A key that breaks the statement is asked alone, and so are its neighbours.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { EnvironmentKind, Tx } from "../database/database.ts";
import { isConnectionLost } from "../database/retry-transient.ts";
import { commonProblem, Problem } from "../problem.ts";
import { type Batches, createBatches } from "./batches.ts";

/** A kind of question; it is known by its identity, so make it once. */
export interface Question<Found> {
  /** What there is, by key, for all keys at once. Each is named once, and one that nothing is found for is left out. */
  find(tx: Tx, keys: readonly string[]): Promise<ReadonlyMap<string, Found>>;
}

export interface AskedEnvironment {
  readonly environmentId: string;
  readonly kind: EnvironmentKind;
}

export type AskTogether = <Found>(
  environment: AskedEnvironment,
  question: Question<Found>,
  key: string,
) => Promise<Found | undefined>;

/** Runs the work of a batch in one transaction that reads. */
export type BatchReader = <T>(environmentId: string, work: (tx: Tx) => Promise<T>) => Promise<T>;

/** Of one kind of question. A batch finds what one caller alone would find, in hardly more time. */
const limits = { slots: 8, reserved: 2, atOnce: 4, patienceMs: 5, batchSize: 64, perLane: 2, laneBound: 10_000 };

interface Answer {
  readonly found: unknown;
}

export function createAskTogether(read: BatchReader): AskTogether {
  // A batch is nobody's in particular: it must not look as if it happened within its first caller's work.
  const outside = AsyncLocalStorage.snapshot();
  const batchesOf = new Map<Question<unknown>, Batches<string, Answer>>();

  const openBatches = (question: Question<unknown>): Batches<string, Answer> =>
    createBatches({
      ...limits,
      comesFirst: (lane) => lane.startsWith("LIVE"),
      serve: (lane, keys) => outside(() => answerAll(read, question, lane.slice(lane.indexOf("/") + 1), keys)),
      failsAll: (error) => (concernsAll(error) ? error : undefined),
      full: () => commonProblem("unavailable", { headers: { "retry-after": "1" } }),
    });

  return async <Found>({ environmentId, kind }: AskedEnvironment, question: Question<Found>, key: string) => {
    const batches = batchesOf.getOrInsertComputed(question, () => openBatches(question));
    const { found } = await batches.submit(`${kind}/${environmentId}`, key);
    return found as Found | undefined;
  };
}

async function answerAll(
  read: BatchReader,
  question: Question<unknown>,
  environmentId: string,
  keys: readonly string[],
): Promise<Answer[]> {
  const found = await read(environmentId, (tx) => question.find(tx, [...new Set(keys)]));
  return keys.map((key) => ({ found: found.get(key) }));
}

/** The database is away: a caller who asked alone would be told the same. */
function concernsAll(error: unknown): boolean {
  return isConnectionLost(error) || error instanceof Problem;
}
