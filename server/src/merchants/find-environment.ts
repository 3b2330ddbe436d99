import { type Database, operatorScope, readEnvironment, type Tx } from "../platform/database/database.ts";
import { isUuid } from "../platform/database/ids.ts";
import { commonProblem } from "../platform/problem.ts";
import type { Environment } from "./merchant.ts";
import { findEnvironmentRow, readEnvironmentsAfter } from "./merchant-store.ts";

/** Seen from the operator's scope every environment, from an environment only itself. */
export async function findEnvironment(tx: Tx, id: string): Promise<Environment> {
  const environment = isUuid(id) ? await findEnvironmentRow(tx, id) : undefined;
  if (environment === undefined) throw commonProblem("environment_not_found");
  return environment;
}

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
