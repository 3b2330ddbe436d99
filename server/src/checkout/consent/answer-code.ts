/**
 * The first half of answering a code: one of its tries is taken and committed, and only then are the digits compared.
 * The second half uses the code up together with what it answers for.
 */

import { type Database, inEnvironment, type Tx } from "../../platform/database/database.ts";
import type { Problem } from "../../platform/problem.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import { matches } from "./code.ts";
import { type CodeSubject, type ConsentCode, mostAttempts } from "./consent.ts";
import { findLiveCode, moveCode, takeTry } from "./consent-store.ts";
import { consentProblem } from "./errors.ts";

export interface AnswerDependencies {
  readonly db: Database;
  readonly sealer: Sealer;
}

/** `Waiting` is what is answered for: read once, and handed on. */
export interface Answer<Waiting> {
  readonly environmentId: string;
  readonly subject: CodeSubject;
  readonly otp: string;
  /** Throws when it does not wait for an answer any more. */
  requireWaiting(tx: Tx): Promise<Waiting>;
  /** Throws when the code stands for something else than there is now. */
  refuseUnlessStanding?(tx: Tx, waiting: Waiting, code: ConsentCode): Promise<void>;
}

/** A code that was answered rightly and is not used up yet. */
export interface AnsweredCode {
  readonly codeId: string;
  readonly subject: CodeSubject;
}

/** Takes a try, whatever comes of it. Throws one of the otp_ problems unless the digits are right. */
export async function takeAnswer<Waiting>(
  { db, sealer }: AnswerDependencies,
  answer: Answer<Waiting>,
): Promise<AnsweredCode> {
  const { environmentId, subject, otp } = answer;
  const taken = await inEnvironment(db, environmentId, (tx) => take(tx, answer));
  if ("refusal" in taken) throw taken.refusal;
  if (matches(sealer, taken.code, otp)) return { codeId: taken.code.id, subject };
  throw consentProblem("otp_invalid", { data: { attempts_remaining: mostAttempts - taken.attempts } });
}

type Taken = { readonly code: ConsentCode; readonly attempts: number } | { readonly refusal: Problem };

async function take<Waiting>(tx: Tx, answer: Answer<Waiting>): Promise<Taken> {
  const waiting = await answer.requireWaiting(tx);
  const code = await findLiveCode(tx, answer.subject);
  if (code === undefined) return { refusal: consentProblem("otp_not_requested") };
  const expired = code.expiresAt <= tx.environment.clock.now();
  if (expired) return { refusal: consentProblem("otp_expired") };
  if (code.attempts >= mostAttempts) return { refusal: consentProblem("otp_attempts_exceeded") };
  await answer.refuseUnlessStanding?.(tx, waiting, code);
  const attempts = await takeTry(tx, code.id);
  if (attempts !== undefined) return { code, attempts };
  // Others took the tries that were left, or have just given the right answer.
  await answer.requireWaiting(tx);
  return { refusal: consentProblem("otp_attempts_exceeded") };
}

/** The code that was answered, if nothing has taken its place since. Throws otp_expired. */
export async function requireAnswered(tx: Tx, { codeId, subject }: AnsweredCode): Promise<ConsentCode> {
  const code = await findLiveCode(tx, subject);
  if (code?.id !== codeId) throw consentProblem("otp_expired");
  return code;
}

/** Of two right answers at once one finds the code used: false. */
export function useUp(tx: Tx, code: ConsentCode): Promise<boolean> {
  return moveCode(tx, code.id, "used");
}
