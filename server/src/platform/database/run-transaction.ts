import type { Kysely, Transaction } from "kysely";
import { isConnectionBroken, isReadOnly, isTransient, retryTransient } from "./retry-transient.ts";

export type Access = "read only" | "read write";

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
  const attempt = (): Promise<T> => {
    committing = false;
    const transaction = mayWrite ? db.transaction() : db.transaction().setAccessMode(access);
    return transaction.execute(async (trx) => {
      const done = await work(trx);
      committing = true;
      return done;
    });
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
