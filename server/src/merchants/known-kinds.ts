import { type Database, inEnvironment } from "../platform/database/database.ts";
import { findEnvironment } from "./find-environment.ts";
import type { Environment } from "./merchant.ts";

/** Whether an environment is a sandbox or live, remembered: that never changes. */
export function createKnownKinds(db: Database): (environmentId: string) => Promise<Environment["kind"]> {
  const known = new Map<string, Environment["kind"]>();
  return async (environmentId) => {
    const remembered = known.get(environmentId);
    if (remembered !== undefined) return remembered;
    const { kind } = await inEnvironment(db, environmentId, (tx) => findEnvironment(tx, environmentId), {
      readOnly: true,
    });
    known.set(environmentId, kind);
    return kind;
  };
}
