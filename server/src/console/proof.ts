/**
 * A proof that it is still the person who signed in: the password given again or, where an authenticator app is on, a
 * code of it. It counts for ten minutes and for this session only, and is kept in the session's row, so that nothing in
 * a browser can make it last longer. Signing in is a proof as well.
 */
import type { Person } from "../platform/http/caller.ts";
import type { WaysIn } from "./person.ts";

const proofLastsMs = 10 * 60_000;

export const proofWays = ["password", "code"] as const;

/** An app is there because a password alone was not enough. */
export function proofWaysOf({ hasPassword, twoFactorEnabled }: Pick<WaysIn, "hasPassword" | "twoFactorEnabled">) {
  if (twoFactorEnabled) return ["code"] as const;
  return hasPassword ? (["password"] as const) : [];
}

export function provenUntil({ provenAt }: Pick<Person, "provenAt">): Date {
  return new Date(provenAt.getTime() + proofLastsMs);
}

export function isProven(person: Pick<Person, "provenAt">, nowMs = Date.now()): boolean {
  return nowMs < provenUntil(person).getTime();
}
