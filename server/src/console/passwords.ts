import { hashPassword, verifyPassword } from "better-auth/crypto";

/** Takes the same time for a person who has no password: a hash is made either way. */
export async function isPassword(hash: string | undefined, password: string): Promise<boolean> {
  if (hash !== undefined) return verifyPassword({ hash, password });
  await hashPassword(password);
  return false;
}

interface KeptPassword {
  readonly personId: string;
  readonly hash: string;
}

/** Takes the same time for an address that nobody has as for one of one person. */
export async function whosePassword(kept: readonly KeptPassword[], password: string): Promise<string | undefined> {
  if (kept.length === 0) await isPassword(undefined, password);
  for (const { personId, hash } of kept) {
    if (await isPassword(hash, password)) return personId;
  }
  return undefined;
}
