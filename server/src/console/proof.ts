/**
 * A proof that it is still the person who signed in: a passkey, or the password given again or, where an authenticator
 * app is on, a code of it. It counts for ten minutes and for this session only, and is kept in the session's row, so
 * that nothing in a browser can make it last longer. Signing in is a proof as well.
 */
import type { Person } from "../platform/http/caller.ts";
import type { WaysIn } from "./person.ts";

const proofLastsMs = 10 * 60_000;

export const proofWays = ["passkey", "password", "code"] as const;

type Ways = Pick<WaysIn, "hasPassword" | "twoFactorEnabled" | "hasPasskey">;

/** An app is there because a password alone was not enough. */
export function proofWaysOf({
  hasPassword,
  twoFactorEnabled,
  hasPasskey,
}: Ways): readonly (typeof proofWays)[number][] {
  const typed = twoFactorEnabled ? (["code"] as const) : hasPassword ? (["password"] as const) : [];
  return hasPasskey ? ["passkey", ...typed] : typed;
}

export function provenUntil({ provenAt }: Pick<Person, "provenAt">): Date {
  return new Date(provenAt.getTime() + proofLastsMs);
}

export function isProven(person: Pick<Person, "provenAt">, nowMs = Date.now()): boolean {
  return nowMs < provenUntil(person).getTime();
}
