import { hashPassword, verifyPassword } from "better-auth/crypto";

/** Takes the same time for a person who has no password: a hash is made either way. */
export async function isPassword(hash: string | undefined, password: string): Promise<boolean> {
  if (hash !== undefined) return verifyPassword({ hash, password });
  await hashPassword(password);
  return false;
}
