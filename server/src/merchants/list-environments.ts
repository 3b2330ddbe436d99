import { type Database, operatorScope, readEnvironment } from "../platform/database/database.ts";
import type { Environment } from "./merchant.ts";
import { readEnvironmentsAfter } from "./merchant-store.ts";

const batch = 500;

/** Every environment of every merchant, read in batches, for work that goes through all of them. */
export async function* listEnvironments(db: Database): AsyncGenerator<Environment> {
  // No environment has the operator's id, and none sorts before it.
  let after = operatorScope;
  for (;;) {
    const last = after;
    const found = await readEnvironment(db, operatorScope, (tx) => readEnvironmentsAfter(tx, last, batch));
    yield* found;
    const newest = found.at(-1);
    if (newest === undefined) return;
    after = newest.id;
  }
}
