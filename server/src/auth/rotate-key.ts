import { findEnvironment } from "../merchants/find-environment.ts";
import type { Tx } from "../platform/database/database.ts";
import { type Origin, recordAudit } from "../platform/records/audit.ts";
import { type ApiKey, type IssuedKey, isExpired } from "./api-key.ts";
import { authProblem } from "./errors.ts";
import { writeKey } from "./issue-key.ts";
import { updateKey } from "./key-store.ts";
import { withKey } from "./with-key.ts";

/** A day: long enough to roll a new secret out without haste, short enough that an old one does not linger. */
export const defaultOverlapSeconds = 86_400;

export interface RotateKey {
  readonly keyId: string;
  readonly overlapSeconds?: number;
  readonly origin: Origin;
}

export interface Rotation {
  readonly issued: IssuedKey;
  readonly replaced: ApiKey;
}

/** Issues a successor and lets the old key live for the overlap, never past its own end. */
export async function rotateKey(tx: Tx, command: RotateKey): Promise<Rotation> {
  const overlapSeconds = command.overlapSeconds ?? defaultOverlapSeconds;
  const rotation = await withKey(tx, command.keyId, (inside, key) => replaceKey(inside, key, overlapSeconds));
  await recordAudit(tx, command.origin, {
    action: "key.rotate",
    subjectType: "key",
    subjectId: rotation.replaced.id,
    environmentId: rotation.replaced.environmentId,
    detail: { replacedBy: rotation.issued.id, prefix: rotation.issued.prefix, overlapSeconds },
  });
  return rotation;
}

async function replaceKey(tx: Tx, key: ApiKey, overlapSeconds: number): Promise<Rotation> {
  const now = new Date();
  if (key.revokedAt !== null || (key.replacedBy === null && isExpired(key, now))) throw authProblem("key_not_active");
  if (key.replacedBy !== null) throw authProblem("key_already_rotated", { data: { replacedBy: key.replacedBy } });
  const { kind } = await findEnvironment(tx, key.environmentId);
  const { name, scopes, allowedAddresses } = key;
  const issued = await writeKey(tx, kind, { name, scopes, allowedAddresses, expiresAt: key.expiresAt });
  const overlapEnd = new Date(now.getTime() + overlapSeconds * 1_000);
  const expiresAt = key.expiresAt !== null && key.expiresAt < overlapEnd ? key.expiresAt : overlapEnd;
  await updateKey(tx, key.id, { expiresAt, replacedBy: issued.id });
  return { issued, replaced: { ...key, expiresAt, replacedBy: issued.id } };
}
