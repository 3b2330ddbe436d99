/** Sends a request until there is a reply that stands, the tries are used up, or the time is over. */
import { JaraConnectionError, JaraTimeoutError } from "../errors.ts";
import { type Deadline, startDeadline } from "./deadline.ts";
import type { FetchLike, SignalLike } from "./fetching.ts";
import { pause } from "./pause.ts";
import { infoOf, type Received, type ReplyInfo, refusalOf } from "./reply.ts";
import { isRepeatable, pauseOf, type RetryRule, waitBeforeRetry } from "./retrying.ts";

export interface Outgoing {
  /** `POST /transfers`, for people and errors. */
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  /** Written once: every try sends the same bytes under the same key. */
  readonly body: string | undefined;
  readonly idempotencyKey: string | null;
  readonly timeoutMs: number;
  readonly signal: SignalLike | undefined;
  readonly retry: RetryRule;
}

export interface Transported extends Received {
  readonly attempts: number;
}

export type OnReply = (info: ReplyInfo) => void;

export async function transport(send: FetchLike, outgoing: Outgoing, onReply?: OnReply): Promise<Transported> {
  const deadline = startDeadline(outgoing.timeoutMs, outgoing.signal);
  const causes: unknown[] = [];
  try {
    for (let attempt = 0; ; attempt += 1) {
      const tried = await tryOnce(send, outgoing, deadline, attempt);
      const isLast = attempt >= outgoing.retry.maxRetries;
      if ("received" in tried) {
        const { received } = tried;
        onReply?.(infoOf(outgoing.operation, outgoing.idempotencyKey, attempt + 1, received));
        if (received.status >= 200 && received.status < 300) return { ...received, attempts: attempt + 1 };
        await waitOrRefuse(outgoing, deadline, attempt, received);
      } else {
        causes.push(tried.failure);
        const mayRepeat = isRepeatable(outgoing.method, outgoing.idempotencyKey);
        const waitMs = pauseOf(attempt);
        if (isLast || !mayRepeat || waitMs >= deadline.leftMs()) throw unreached(outgoing, attempt, causes);
        await waitWithin(outgoing, deadline, attempt, waitMs);
      }
    }
  } finally {
    deadline.clear();
  }
}

type Tried = { readonly received: Received } | { readonly failure: unknown };

/** A body that breaks off is no reply either. Giving up and running out of time end the call; nothing else does. */
async function tryOnce(send: FetchLike, outgoing: Outgoing, deadline: Deadline, attempt: number): Promise<Tried> {
  const { method, url, headers, body, signal } = outgoing;
  const init = { method, headers, redirect: "manual", signal: deadline.signal } as const;
  // Not every `fetch` looks at its signal before it sends.
  if (signal?.aborted) throw signal.reason;
  try {
    const reply = await untilAborted(send(url, body === undefined ? init : { ...init, body }), deadline.signal);
    const text = await untilAborted(reply.text(), deadline.signal);
    return { received: { status: reply.status, headers: reply.headers, text } };
  } catch (failure) {
    if (deadline.isOver()) throw timedOut(outgoing, attempt);
    if (signal?.aborted) throw signal.reason;
    return { failure };
  }
}

/** A `fetch` that does not listen to its signal must not hold the caller. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

async function waitOrRefuse(
  outgoing: Outgoing,
  deadline: Deadline,
  attempt: number,
  received: Received,
): Promise<void> {
  const { operation, method, idempotencyKey, retry } = outgoing;
  const refusal = refusalOf(operation, idempotencyKey, received);
  const mayRepeat = attempt < retry.maxRetries && isRepeatable(method, idempotencyKey);
  const waitMs = mayRepeat ? waitBeforeRetry(refusal, attempt, retry) : null;
  // To wait longer than there is time would only make the caller wait for the same refusal.
  if (waitMs === null || waitMs >= deadline.leftMs()) throw refusal;
  await waitWithin(outgoing, deadline, attempt, waitMs);
}

async function waitWithin(outgoing: Outgoing, deadline: Deadline, attempt: number, waitMs: number): Promise<void> {
  try {
    await pause(waitMs, deadline.signal);
  } catch {
    if (deadline.isOver()) throw timedOut(outgoing, attempt);
    throw outgoing.signal?.reason;
  }
}

function timedOut({ operation, idempotencyKey, timeoutMs, url }: Outgoing, attempt: number): JaraTimeoutError {
  const message = `No reply within ${timeoutMs} ms.`;
  return new JaraTimeoutError(message, {
    operation,
    idempotencyKey,
    attempts: attempt + 1,
    origin: new URL(url).origin,
  });
}

function unreached(outgoing: Outgoing, attempt: number, causes: readonly unknown[]): JaraConnectionError {
  const { operation, idempotencyKey, url } = outgoing;
  const { origin } = new URL(url);
  const attempts = attempt + 1;
  const times = attempts === 1 ? "" : `, tried ${attempts} times`;
  const message = `No reply from ${origin}: ${reasonOf(causes.at(-1))}${times}.`;
  return new JaraConnectionError(message, { operation, idempotencyKey, attempts, origin, causes });
}

/** fetch says only that it failed; the reason is in the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message || cause.name : "the connection failed";
}

export function unreadable(
  outgoing: Pick<Outgoing, "operation" | "idempotencyKey">,
  message: string,
  attempts: number,
) {
  return new JaraConnectionError(message, { ...outgoing, attempts });
}
