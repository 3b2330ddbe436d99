/**
 * How a careful merchant's server talks to us: every write carries an Idempotency-Key or a reference of its own, and
 * whatever has no clear answer is sent again, unchanged, until it has one.
 */
export interface Request {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly body?: object;
  readonly idempotencyKey?: string;
  /** Refusals that mean "not yet": asked again like no answer at all. */
  readonly notYet?: readonly string[];
}

export interface Answer<Data> {
  readonly status: number;
  /** Of a refusal; empty after success. */
  readonly code: string;
  /** Absent from refusals. */
  readonly data: Data | undefined;
}

export interface Api {
  /** Undefined when the client was stopped before there was a clear answer. */
  ask<Data>(request: Request): Promise<Answer<Data> | undefined>;
}

interface Envelope<Data> {
  readonly code?: string;
  readonly data?: Data;
}

const pauseMs = 25;
/** Far more than any outage of a campaign takes. */
const mostTries = 4_000;
const alwaysNotYet = ["idempotency_key_in_use"];

export function createApi(baseUrl: string, key: string, isStopping: () => boolean): Api {
  return {
    async ask<Data>(request: Request) {
      const notYet = [...alwaysNotYet, ...(request.notYet ?? [])];
      for (let attempt = 0; !isStopping() && attempt < mostTries; attempt += 1) {
        const answer = await send<Data>(baseUrl, key, request);
        if (answer !== undefined && !notYet.includes(answer.code)) return answer;
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
      return undefined;
    },
  };
}

async function send<Data>(baseUrl: string, key: string, request: Request): Promise<Answer<Data> | undefined> {
  const { method, path, body, idempotencyKey } = request;
  try {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    });
    const text = await response.text();
    if (response.status >= 500) return undefined;
    const { code, data }: Envelope<Data> = JSON.parse(text);
    return response.ok
      ? { status: response.status, code: "", data }
      : { status: response.status, code: code ?? text, data: undefined };
  } catch {
    return undefined;
  }
}
