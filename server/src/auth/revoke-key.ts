import type { Tx } from "../platform/database/database.ts";
import { type Origin, recordAudit } from "../platform/records/audit.ts";
import type { ApiKey } from "./api-key.ts";
import { updateKey } from "./key-store.ts";
import { withKey } from "./with-key.ts";

export interface RevokeKey {
  readonly keyId: string;
  readonly origin: Origin;
}

/** Ends a key for good. Every process stops taking it within five seconds. Revoking again changes nothing. */
export async function revokeKey(tx: Tx, { keyId, origin }: RevokeKey): Promise<ApiKey> {
  const { key, changed } = await withKey(tx, keyId, async (inside, found) => {
    if (found.revokedAt !== null) return { key: found, changed: false };
    const revokedAt = new Date();
    await updateKey(inside, keyId, { revokedAt });
    return { key: { ...found, revokedAt }, changed: true };
  });
  if (changed) {
    await recordAudit(tx, origin, {
      action: "key.revoke",
      subjectType: "key",
      subjectId: keyId,
      environmentId: key.environmentId,
      detail: { name: key.name, prefix: key.prefix },
    });
  }
  return key;
}
