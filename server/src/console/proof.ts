/**
 * A proof that it is still the person who signed in: the password, given again. It counts for ten minutes and for this
 * session only, and is kept in the session's row, so that nothing in a browser can make it last longer. Signing in is a
 * proof as well.
 */
import type { Person } from "../platform/http/caller.ts";

const proofLastsMs = 10 * 60_000;

export const proofWays = ["password"] as const;
export type ProofWay = (typeof proofWays)[number];

export function provenUntil({ provenAt }: Pick<Person, "provenAt">): Date {
  return new Date(provenAt.getTime() + proofLastsMs);
}

export function isProven(person: Pick<Person, "provenAt">, nowMs = Date.now()): boolean {
  return nowMs < provenUntil(person).getTime();
}
