/**
 * A key opens one environment of one merchant. The secret itself is shown once, when the key is issued; we keep its
 * hash and the first characters. A key is limited by scopes, by source addresses and by time.
 *
 *   active ──▶ rotated (a successor exists; works until the overlap ends) ──▶ expired
 *      └─────────────┴──▶ revoked (at once, for good)
 *
 * Rotation changes the secret without a moment in which no key works: the successor takes over name, scopes, addresses
 * and end date, and the old key lives on for the overlap. A key is rotated once; afterwards the successor is.
 *
 * Keys live in real time, also in a sandbox whose clock was moved.
 */
export interface ApiKey {
  readonly id: string;
  readonly environmentId: string;
  readonly name: string;
  readonly prefix: string;
  readonly scopes: readonly string[];
  readonly allowedAddresses: readonly string[];
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly replacedBy: string | null;
  readonly createdAt: Date;
}

/** A key with the secret that is shown only now. */
export interface IssuedKey extends ApiKey {
  readonly key: string;
}

export function isExpired(key: Pick<ApiKey, "expiresAt">, now: Date): boolean {
  return key.expiresAt !== null && key.expiresAt <= now;
}
