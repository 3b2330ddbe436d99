import type { EnvironmentKind } from "../../platform/database/database.ts";
/**
 * A delivery takes one event to one endpoint.
 *
 *   pending ──▶ delivered
 *      ├──────▶ failed      after the tenth try
 *      └──────▶ held        the endpoint was disabled
 *               cancelled   the endpoint was deleted
 *
 * A replay brings any but a cancelled one back to pending, and the count of tries starts again.
 *
 * Events of one resource reach an endpoint in their order: a later one waits until the earlier one was delivered or
 * has failed four times; from then on it may overtake, and `resource_version` tells the receiver.
 *
 * Tries follow the environment's clock. In a live environment the next one is counted from the last, so that a queue
 * that stood still does not play all tries out in a burst. In a sandbox it is counted from when the last was due:
 * after the clock was advanced by days, the tries of those days follow one another at once.
 */

export const deliveryStatuses = ["pending", "delivered", "failed", "held", "cancelled"] as const;

export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** A delivery belongs to the environment of the transaction. */
export interface DeliveryKey {
  readonly eventId: string;
  readonly endpointId: string;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** After the first try, which is made at once. */
const retryDelaysMs = [
  5 * second,
  minute,
  5 * minute,
  30 * minute,
  2 * hour,
  6 * hour,
  12 * hour,
  24 * hour,
  24 * hour,
] as const;

export const mostAttempts = retryDelaysMs.length + 1;

/** So many failures let later events of the same resource overtake. The claims in SQL know the same number. */
export const attemptsInTheWay = 4;

const longestRetryAfterMs = day;
export const failingLimitMs = 5 * day;

/**
 * Jitter only shortens, by a fifth at most: who advances a sandbox by the seconds of the schedule meets the retry.
 */
const jitter = 0.2;

export interface FailedTry {
  /** Tries made, this one included. */
  readonly attempts: number;
  /** From when the next one is counted, in the environment's time. */
  readonly from: Date;
  /** What the receiver asked for. */
  readonly retryAfterMs: number | null;
  /** From 0 to 1. */
  readonly chance: number;
}

/** When to try again, in the environment's time; null when it was the last try. */
export function nextTryAt({ attempts, from, retryAfterMs, chance }: FailedTry): Date | null {
  const delay = retryDelaysMs[attempts - 1];
  if (delay === undefined) return null;
  const asked = Math.min(retryAfterMs ?? 0, longestRetryAfterMs);
  return new Date(from.getTime() + Math.max(Math.round(delay * (1 - jitter * chance)), asked));
}

/** When, in the environment's time, a try happened: in a sandbox when it was due, however long it then took. */
export function attemptTime(kind: EnvironmentKind, times: { readonly sentAt: Date; readonly dueAt: Date }): Date {
  return kind === "LIVE" ? times.sentAt : times.dueAt;
}

/** Seconds or an HTTP date, as milliseconds from when the message was sent; null when there is none or it cannot be read. */
export function readRetryAfter(header: string | undefined, sentAt: Date): number | null {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * second;
  const at = /^[A-Za-z]{3},/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - sentAt.getTime());
}
