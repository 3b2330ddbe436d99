/** Waits for a record to become what the caller waits for, by asking. */
import { JaraError } from "../errors.ts";
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

/** Asks at once, then again and again with growing pauses. `read` is told how long it may take. */
export async function waitUntil<Data>(
  read: (timeoutMs: number) => Promise<Data>,
  isThere: (data: Data) => boolean,
  { signal, timeoutMs = 60_000, pollMs = 5_000 }: WaitOptions = {},
): Promise<Data> {
  const ends = Date.now() + timeoutMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = pauseMs * 1.5) {
    const data = await read(Math.max(shortestReadMs, ends - Date.now()));
    if (isThere(data)) return data;
    const left = ends - Date.now();
    if (left <= 0) {
      throw new JaraStillWaitingError(
        `Still not there after ${timeoutMs} ms. Nothing has failed: wait again, or let a webhook tell you.`,
        data,
      );
    }
    await pause(Math.min(pauseMs, pollMs, left), signal);
  }
}
