/** The environment that a route is for, as far as routes care. */
import { type EnvironmentKind, type Tx, visitEnvironment } from "../../platform/database/database.ts";

export interface ServedEnvironment {
  readonly kind: EnvironmentKind;
  readonly isFrozen: boolean;
}

/** In the operator's scope. */
export async function findServed(tx: Tx, environmentId: string): Promise<ServedEnvironment | undefined> {
  const found = await tx.selectFrom("environments").select("id").where("id", "=", environmentId).executeTakeFirst();
  if (found === undefined) return undefined;
  return visitEnvironment(tx, environmentId, async ({ environment: { kind, clock } }) => ({
    kind,
    isFrozen: clock.mode === "frozen",
  }));
}
