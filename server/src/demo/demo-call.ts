/** The demo merchant's server: it speaks HTTP with its secret key, as every merchant's does. */
import { setTimeout as pause } from "node:timers/promises";

export type Data = Record<string, unknown>;

export interface DemoCaller {
  get(path: string): Promise<Data>;
  list(path: string): Promise<Data[]>;
  /** `name` makes a request that has no reference of its own safe to send again. */
  post(path: string, body: Data, name?: string): Promise<Data>;
  put(path: string, body: Data): Promise<Data>;
  /** For what an earlier start may have done already: that it is done is as good as a success. */
  postOrDone(path: string, body: Data): Promise<void>;
  /** Reads until the word is what was waited for. */
  until(read: () => Promise<string>, word: string): Promise<void>;
}

export class Refused extends Error {
  readonly code: string;

  constructor(code: string, path: string) {
    super(`${path}: ${code}`);
    this.code = code;
  }
}

/** What the API says to somebody who asks for the same a second time. */
const sayDone = new Set(["invalid_state", "consent_given", "otp_resend_too_early"]);
const patienceMs = 30_000;
const pollMs = 500;
/** Longer than the lease of a worker that was killed. */
const mostPolls = 400;

export function createDemoCaller(baseUrl: string, secretKey: string, stopped: AbortSignal): DemoCaller {
  const call = async (method: string, path: string, body?: Data, name?: string): Promise<unknown> => {
    const reply = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${secretKey}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(name === undefined ? {} : { "idempotency-key": name }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.any([stopped, AbortSignal.timeout(patienceMs)]),
    });
    const { data, code } = (await reply.json()) as { data: unknown; code?: string };
    if (!reply.ok) throw new Refused(code ?? String(reply.status), path);
    return data;
  };
  const post: DemoCaller["post"] = async (path, body, name) => (await call("POST", path, body, name)) as Data;
  return {
    get: async (path) => (await call("GET", path)) as Data,
    list: async (path) => (await call("GET", path)) as Data[],
    post,
    put: async (path, body) => (await call("PUT", path, body)) as Data,
    postOrDone: async (path, body) => {
      try {
        await post(path, body);
      } catch (error) {
        if (!(error instanceof Refused && sayDone.has(error.code))) throw error;
      }
    },
    until: async (read, word) => {
      for (let polls = 0; polls < mostPolls; polls += 1) {
        if ((await read()) === word) return;
        await pause(pollMs, undefined, { signal: stopped });
      }
      throw new Error(`${word} did not come`);
    },
  };
}
