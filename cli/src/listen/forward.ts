/**
 * Sends an event to an application as a webhook: the same body, headers and kind of signature as Jara's own. An
 * application that is away is waited for, however long; one that refuses is asked a few times.
 */
import { createHmac } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";

export interface WireEvent {
  readonly id: string;
  readonly event: string;
  readonly [further: string]: unknown;
}

export interface Forwarded {
  /** Null when it was stopped before anybody took the event. */
  readonly status: number | null;
  readonly tookMs: number;
}

export interface ForwardOptions {
  readonly url: string;
  readonly secret: string;
  readonly stopped: AbortSignal;
  /** Told when the application is away, once for each time. */
  away(why: string): void;
  /** Counts refusals over all events. */
  readonly refusals: Refusals;
}

/** How often an application has refused in a row, whatever the event. */
export interface Refusals {
  inARow: number;
  /** Told when there are too many: nothing more is given up until the application takes this event. */
  pausing(status: number): void;
  /** Told when it has. */
  goingOn(): void;
}

const mostRefusals = 3;
/** An application that refuses everything is broken: to go on would use up every event that waits. */
const refusalsToPause = 10;
const longestPauseMs = 5_000;
const replyWithinMs = 15_000;

export async function forward(event: WireEvent, options: ForwardOptions): Promise<Forwarded> {
  const { stopped } = options;
  let refusals = 0;
  let told = false;
  for (let tries = 0; !stopped.aborted; tries += 1) {
    const began = performance.now();
    const reply = await post(event, options);
    const tookMs = Math.round(performance.now() - began);
    if (typeof reply === "number") {
      refusals += 1;
      if (countRefusal(options.refusals, reply) || (refusals >= mostRefusals && !isPaused(options.refusals))) {
        return { status: reply, tookMs };
      }
    } else if (!told) {
      told = true;
      options.away(reply.why);
    }
    const waitMs = Math.min(250 * 2 ** tries, longestPauseMs);
    await pause(waitMs, undefined, { signal: stopped }).catch(() => undefined);
  }
  return { status: null, tookMs: 0 };
}

const isPaused = ({ inARow }: Refusals): boolean => inARow >= refusalsToPause;

/** Counts a refusal, or resets the count. Returns true when the receiver accepted the event. */
function countRefusal(refusals: Refusals, status: number): boolean {
  if (status < 300) {
    if (isPaused(refusals)) refusals.goingOn();
    refusals.inARow = 0;
    return true;
  }
  refusals.inARow += 1;
  if (refusals.inARow === refusalsToPause) refusals.pausing(status);
  return false;
}

async function post(
  event: WireEvent,
  { url, secret, stopped }: ForwardOptions,
): Promise<number | { readonly why: string }> {
  const body = JSON.stringify(event);
  const ending = endAfter(stopped);
  try {
    const reply = await fetch(url, {
      method: "POST",
      headers: signedHeaders(event.id, body, secret, new Date()),
      body,
      redirect: "manual",
      signal: AbortSignal.any([ending.signal, AbortSignal.timeout(replyWithinMs)]),
    });
    await reply.arrayBuffer().catch(() => undefined);
    return reply.status;
  } catch (error) {
    return { why: reasonOf(error) };
  } finally {
    ending.forget();
  }
}

const graceMs = 1_000;

/** Somebody who stops the listener lets the application finish: what it has taken need not come again. */
function endAfter(stopped: AbortSignal): { readonly signal: AbortSignal; forget(): void } {
  const ending = new AbortController();
  const end = () => setTimeout(() => ending.abort(), graceMs).unref();
  if (stopped.aborted) end();
  else stopped.addEventListener("abort", end, { once: true });
  return { signal: ending.signal, forget: () => stopped.removeEventListener("abort", end) };
}

function signedHeaders(id: string, body: string, secret: string, now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1_000));
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return {
    "content-type": "application/json",
    "user-agent": "Jara-Webhooks/1.0",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const { code, name } = cause as { code?: unknown; name?: unknown };
  if (code === "ECONNREFUSED") return "nothing listens there";
  if (name === "TimeoutError") return "no reply within 15 s";
  return typeof code === "string" ? code : String(name);
}
