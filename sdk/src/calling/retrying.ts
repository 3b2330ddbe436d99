/**
 * What may be sent again, and when. A request is repeated only where a second arrival changes nothing: a POST under its
 * Idempotency-Key, a GET, and a PUT or PATCH, which set what they say. A DELETE is not: its second arrival would say
 * that there is nothing to delete.
 */
import type { JaraApiError } from "../errors.ts";

export interface RetryRule {
  readonly maxRetries: number;
  /** A longer Retry-After is not waited for: the error says how long it would be. */
  readonly longestWaitMs: number;
}

const firstPauseMs = 250;
const longestPauseMs = 8_000;

export function isRepeatable(method: string, idempotencyKey: string | null): boolean {
  return method === "POST" ? idempotencyKey !== null : method !== "DELETE";
}

/** Refusals that pass by themselves. Others of 429 and 503 want a person, or a customer, to wait or to act. */
const passing = new Set([
  "rate_limited",
  "environment_busy",
  "idempotency_key_in_use",
  "unavailable",
  "ledger_busy",
  "bank_unavailable",
  "biller_unavailable",
]);

/** What something between us and Jara says in its own words. */
const gatewayStatuses = new Set([429, 502, 503, 504]);

/** How long to wait before the next try, or null when the refusal stands. */
export function waitBeforeRetry(error: JaraApiError, attempt: number, { longestWaitMs }: RetryRule): number | null {
  const isPassing = passing.has(error.code) || (error.code === unreadableCode && gatewayStatuses.has(error.status));
  if (!isPassing) return null;
  const asked = error.retryAfterSeconds === null ? 0 : error.retryAfterSeconds * 1_000;
  return asked > longestWaitMs ? null : Math.max(asked, pauseOf(attempt));
}

/** Doubles, and differs by chance, so that callers that failed together do not come back together. */
export function pauseOf(attempt: number): number {
  const full = Math.min(longestPauseMs, firstPauseMs * 2 ** attempt);
  return Math.round(full * (0.5 + Math.random() / 2));
}

/** The code of a reply whose body is not Jara's. */
export const unreadableCode = "unreadable_reply";
