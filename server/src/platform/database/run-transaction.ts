import type { Kysely, Transaction } from "kysely";
import { isConnectionBroken, isReadOnly, isTransient, retryTransient } from "./retry-transient.ts";

export type Access = "read only" | "read write";

/** What waits for the end of a transaction. */
type Hook = (committed: boolean) => void;

const hooks = new WeakMap<object, Hook[]>();

/** Calls `then` once the transaction is committed, and never if it is not. */
export function afterCommit(trx: object, then: () => void): void {
  afterEnd(trx, (committed) => {
    if (committed) then();
  });
}

/** Calls `then` once the transaction has ended. One whose end is not known counts as not committed. */
export function afterEnd(trx: object, then: Hook): void {
  const waiting = hooks.get(trx);
  if (waiting === undefined) hooks.set(trx, [then]);
  else waiting.push(then);
}

/**
 * Tries again when nothing can have happened: PostgreSQL said so, or the connection broke before COMMIT was sent. Once
 * COMMIT is on its way a broken connection leaves open whether the work was done, and only the caller can find out.
 */
export function runTransaction<DB, T>(
  db: Kysely<DB>,
  work: (trx: Transaction<DB>) => Promise<T>,
  access: Access,
): Promise<T> {
  let committing = false;
  const mayWrite = access === "read write";
  const attempt = async (): Promise<T> => {
    committing = false;
    const transaction = mayWrite ? db.transaction() : db.transaction().setAccessMode(access);
    let committed = false;
    let ended: object = transaction;
    try {
      const done = await transaction.execute(async (trx) => {
        ended = trx;
        const result = await work(trx);
        committing = true;
        return result;
      });
      committed = true;
      return done;
    } finally {
      for (const then of hooks.get(ended) ?? []) then(committed);
    }
  };
  // A primary that was demoted has done nothing, and the next connection may be to the new one.
  const nothingHappened = (error: unknown) => isTransient(error) || (mayWrite && isReadOnly(error));
  const done = retryTransient(attempt, (error) => nothingHappened(error) || (!committing && isConnectionBroken(error)));
  return mayWrite ? done : done.catch(nameBug);
}

/** Otherwise it would look like a database without a primary. */
function nameBug(error: unknown): never {
  throw isReadOnly(error) ? new Error("a transaction that only reads tried to write", { cause: error }) : error;
}
