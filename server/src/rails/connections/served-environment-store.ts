/** The environment that a route is for, as far as routes care. */
import {
  type Database,
  type EnvironmentKind,
  operatorScope,
  readEnvironment,
} from "../../platform/database/database.ts";

export interface ServedEnvironment {
  readonly kind: EnvironmentKind;
  readonly isFrozen: boolean;
}

export async function findServed(db: Database, environmentId: string): Promise<ServedEnvironment | undefined> {
  const found = await readEnvironment(db, operatorScope, (tx) =>
    tx.selectFrom("environments").select("id").where("id", "=", environmentId).executeTakeFirst(),
  );
  if (found === undefined) return undefined;
  return readEnvironment(db, environmentId, async ({ environment: { kind, clock } }) => ({
    kind,
    isFrozen: clock.mode === "frozen",
  }));
}
