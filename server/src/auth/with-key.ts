import { type Tx, visitEnvironment } from "../platform/database/database.ts";
import { isUuid } from "../platform/database/ids.ts";
import type { ApiKey } from "./api-key.ts";
import { authProblem } from "./errors.ts";
import { findKeyEnvironment, lockKey } from "./key-store.ts";

/**
 * Runs `work` inside the environment of a key, with the key's row locked. An operator names a key by its id alone, so
 * the environment has to be found first.
 */
export async function withKey<T>(tx: Tx, keyId: string, work: (inside: Tx, key: ApiKey) => Promise<T>): Promise<T> {
  const environmentId = isUuid(keyId) ? await findKeyEnvironment(tx, keyId) : undefined;
  if (environmentId === undefined) throw authProblem("key_not_found");
  return visitEnvironment(tx, environmentId, async (inside) => {
    const key = await lockKey(inside, keyId);
    if (key === undefined) throw authProblem("key_not_found");
    return work(inside, key);
  });
}
