/** The checks of all slices, in every environment and in the operator's own books: for `npm run verify` and for workers. */
import { setTimeout as pause } from "node:timers/promises";
import { listEnvironments } from "../merchants/find-environment.ts";
import { type Database, enterEnvironment, operatorScope } from "../platform/database/database.ts";
import type { Difference } from "../platform/records/difference.ts";
import { type Check, runChecks } from "../platform/slice-description.ts";
import type { Contradiction, Tally } from "./verification.ts";
import { cancelStatement, limitStatements, readBackend, readByKey } from "./verification-store.ts";

/** What is recomputed: in each environment, and in the operator's scope. */
export interface BookChecks {
  readonly checks: readonly Check[];
  readonly operatorChecks: readonly Check[];
}

export interface VerifyOptions {
  /** `kind` is SANDBOX, LIVE or operator. */
  onFound(contradiction: Contradiction, kind: string): void;
  /** After each environment, with how long it took; what it throws ends the verification. */
  onStep?(tally: Tally, tookMs: number): Promise<void>;
  /** No statement may take longer. */
  readonly statementMs?: number;
  /** Ends the verification, in the middle of a statement too. */
  readonly signal?: AbortSignal;
}

export async function verifyBooks(db: Database, books: BookChecks, options: VerifyOptions): Promise<Tally> {
  const tally = { environments: 0, checks: 0, contradictions: 0 };
  const verify = async (id: string, kind: string, checks: readonly Check[]): Promise<void> => {
    const began = performance.now();
    const found = await verifyScope(db, id, checks, options);
    const environmentId = id === operatorScope ? null : id;
    for (const difference of found) options.onFound({ ...difference, environmentId }, kind);
    tally.checks += checks.length;
    tally.contradictions += found.length;
    if (environmentId !== null) tally.environments += 1;
    await options.onStep?.({ ...tally }, performance.now() - began);
  };
  for await (const { id, kind } of listEnvironments(db)) await verify(id, kind, books.checks);
  await verify(operatorScope, "operator", books.operatorChecks);
  return tally;
}

/** The checks of one environment alone. */
export function verifyEnvironment(db: Database, id: string, checks: readonly Check[]): Promise<readonly Difference[]> {
  return verifyScope(db, id, checks, { onFound: () => undefined });
}

/** One picture for all of it: what is posted meanwhile is neither here nor there. */
function verifyScope(db: Database, id: string, checks: readonly Check[], { statementMs, signal }: VerifyOptions) {
  const transaction = db.transaction().setIsolationLevel("repeatable read").setAccessMode("read only");
  return transaction.execute(async (trx) => {
    signal?.throwIfAborted();
    if (id !== operatorScope) await readByKey(trx);
    if (statementMs !== undefined) await limitStatements(trx, statementMs);
    const forgetSignal = signal === undefined ? undefined : cancelOnAbort(db, await readBackend(trx), signal);
    try {
      return await runChecks(await enterEnvironment(trx, id), checks);
    } finally {
      await forgetSignal?.();
    }
  });
}

const cancelAgainMs = 100;

/**
 * Once aborted, whatever the backend does is cancelled, again and again: a cancel that arrives between two statements
 * stops neither. What it returns is awaited before the backend serves anyone else, who must not be cancelled.
 */
function cancelOnAbort(db: Database, backend: number, signal: AbortSignal): () => Promise<void> {
  const over = new AbortController();
  let cancelling: Promise<void> | undefined;
  const cancel = async () => {
    while (!over.signal.aborted) {
      await cancelStatement(db, backend).catch(() => undefined);
      await pause(cancelAgainMs, undefined, { signal: over.signal }).catch(() => undefined);
    }
  };
  const begin = () => {
    cancelling = cancel();
  };
  if (signal.aborted) begin();
  else signal.addEventListener("abort", begin, { once: true });
  return async () => {
    signal.removeEventListener("abort", begin);
    over.abort();
    await cancelling;
  };
}
