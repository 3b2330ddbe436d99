/** Waits for a record to become what the caller waits for, by asking. */
import { JaraConnectionError, JaraError, UnavailableError } from "../errors.ts";
import type { SignalLike } from "./fetching.ts";
import { pause } from "./pause.ts";

export interface WaitOptions {
  readonly signal?: SignalLike | undefined;
  /** How long to wait. 60,000 ms unless you say otherwise. */
  readonly timeoutMs?: number | undefined;
  /** The longest pause between two questions. 5,000 ms unless you say otherwise. */
  readonly pollMs?: number | undefined;
}

/** The record is as it is: nothing has failed. Wait again, or let a webhook tell you. */
export class JaraStillWaitingError extends JaraError {
  override readonly name = "JaraStillWaitingError";
  /** The record when it was read last. */
  readonly last: unknown;

  constructor(message: string, last: unknown) {
    super(message);
    this.last = last;
  }
}

const firstPauseMs = 200;
const shortestReadMs = 1_000;

/**
 * Asks at once, then again and again with growing pauses. `read` is told how long it may take. A server that is away is
 * asked again while there is time: the record does not go away with it.
 */
export async function waitUntil<Data>(
  read: (timeoutMs: number) => Promise<Data>,
  isThere: (data: Data) => boolean,
  { signal, timeoutMs = 60_000, pollMs = 5_000 }: WaitOptions = {},
): Promise<Data> {
  const ends = Date.now() + timeoutMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = pauseMs * 1.5) {
    const tried = await tryToRead(() => read(Math.max(shortestReadMs, ends - Date.now())));
    if ("data" in tried && isThere(tried.data)) return tried.data;
    const left = ends - Date.now();
    if (left <= 0) {
      if ("failure" in tried) throw tried.failure;
      throw new JaraStillWaitingError(
        `Still not there after ${timeoutMs} ms. Nothing has failed: wait again, or let a webhook tell you.`,
        tried.data,
      );
    }
    await pause(Math.min(pauseMs, pollMs, left), signal);
  }
}

type Tried<Data> = { readonly data: Data } | { readonly failure: unknown };

async function tryToRead<Data>(read: () => Promise<Data>): Promise<Tried<Data>> {
  try {
    return { data: await read() };
  } catch (failure) {
    if (failure instanceof JaraConnectionError || failure instanceof UnavailableError) return { failure };
    throw failure;
  }
}
