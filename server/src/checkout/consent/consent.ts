/**
 * Consent is the customer's yes to a loan, given by answering a code that was sent to the phone. The code stands for
 * the terms as they were shown when it was sent: another tenor, or a midnight that moves the dates, needs a new one.
 *
 *   live ──▶ used
 *    └─────▶ replaced by a later code
 *
 * A code has six digits and lives ten minutes of the environment's time. It can be tried five times, and a try is
 * counted and committed before it is looked at: however many guesses arrive at once, five are evaluated. How often
 * codes are sent is limited too, per loan by the minute and per customer by the day, so that nobody's telephone is
 * flooded and guessing does not get further by asking for code after code or loan after loan.
 *
 * What was agreed to is a record of its own, which is written once and can be shown later.
 *
 * A change of a customer's contact data is confirmed by a code of the same kind, sent to the phone on record. So is
 * that the person at a plan's page is the customer.
 */
import type { CodeTerms, ConsentTerms } from "./terms.ts";

/** Handing a code to the gateway that carries it to the customer. */
export const sendCodeTask = "checkout.send-code";

export const codeDigits = 6;
export const codeLifeMs = 10 * 60_000;
export const mostAttempts = 5;
export const resendAfterMs = 60_000;
export const sendWindowMs = 10 * 60_000;
export const mostSendsPerWindow = 3;
/** Of a day in Lagos. */
export const mostSendsPerDay = 10;

export const codeTransitions = {
  live: ["used", "replaced"],
  used: [],
  replaced: [],
} as const satisfies Record<string, readonly string[]>;

export type CodeStatus = keyof typeof codeTransitions;

/** What a code answers for: a loan, a change of contact data, or the door of a plan's page. */
export interface CodeSubject {
  readonly kind: "loan" | "contact_change" | "plan_page";
  readonly id: string;
}

export interface ConsentCode {
  readonly id: string;
  readonly subject: CodeSubject;
  readonly customerId: string;
  readonly codeHash: Buffer;
  readonly terms: CodeTerms;
  readonly termsHash: Buffer;
  readonly channel: "sms";
  /** E.164. */
  readonly phone: string;
  /** What may be shown of it. */
  readonly destination: string;
  readonly messageId: string;
  readonly attempts: number;
  readonly status: CodeStatus;
  readonly sentAt: Date;
  readonly expiresAt: Date;
}

export interface ConsentRecord {
  readonly id: string;
  readonly loanId: string;
  readonly customerId: string;
  readonly codeId: string;
  readonly terms: ConsentTerms;
  /** SHA-256 over the terms in their canonical form. */
  readonly scheduleHash: Buffer;
  readonly channel: "sms";
  readonly destination: string;
  readonly messageId: string;
  readonly requestedAt: Date;
  readonly consentedAt: Date;
}

/** What the customer is told about a code that was sent. */
export interface ConsentRequest {
  readonly subject: CodeSubject;
  readonly channel: "sms";
  readonly destination: string;
  readonly sentAt: Date;
  readonly expiresAt: Date;
  /** When another may be asked for; later still where a limit is reached. */
  readonly resendAt: Date;
  readonly attemptsRemaining: number;
}

export function consentRequestOf(code: ConsentCode): ConsentRequest {
  const { subject, channel, destination, sentAt, expiresAt } = code;
  const resendAt = new Date(sentAt.getTime() + resendAfterMs);
  const attemptsRemaining = mostAttempts - code.attempts;
  return { subject, channel, destination, sentAt, expiresAt, resendAt, attemptsRemaining };
}
