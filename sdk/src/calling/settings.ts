/** What a client was told, checked once. The key is kept in a closure: nothing that can be printed holds it. */
import { JaraInputError } from "../errors.ts";
import type { FetchLike, SignalLike } from "./fetching.ts";
import { globalFetch } from "./fetching.ts";
import type { RetryRule } from "./retrying.ts";
import type { OnReply } from "./transport.ts";

export interface ClientOptions {
  /** Where Jara runs: `https://api.example.com`. The default is `http://localhost:4000`, where `npm start` runs it. */
  readonly baseUrl?: string | undefined;
  /** The time of a whole call, retries and waiting included. 30,000 ms unless you say otherwise. */
  readonly timeoutMs?: number | undefined;
  /** How often a call is sent again when that is safe. 3 unless you say otherwise; 0 turns it off. */
  readonly maxRetries?: number | undefined;
  /** The longest Retry-After that is waited for. 10,000 ms unless you say otherwise. */
  readonly longestWaitMs?: number | undefined;
  /** Told of every reply, refusals and retried ones included: for logs. */
  readonly onReply?: OnReply | undefined;
  /** Ends every call that has no signal of its own. */
  readonly signal?: SignalLike | undefined;
  /** Instead of the global `fetch`. */
  readonly fetch?: FetchLike | undefined;
}

/** For one call. */
export interface CallOptions {
  /** Ends the call, and every wait in it, at once. */
  readonly signal?: SignalLike | undefined;
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
  /**
   * Of a POST: one is made for each call unless you give yours, up to 255 visible characters. The same key and body
   * again give the first reply again. `false` sends none; the call is then never repeated.
   */
  readonly idempotencyKey?: string | false | undefined;
  /** Told of every reply to this call. */
  readonly onReply?: OnReply | undefined;
}

export interface Settings {
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly retry: RetryRule;
  readonly onReply: OnReply | undefined;
  readonly signal: SignalLike | undefined;
  readonly fetch: FetchLike;
}

const localUrl = "http://localhost:4000";

export function settingsOf(options: ClientOptions): Settings {
  return {
    baseUrl: baseUrlOf(options.baseUrl ?? localUrl),
    timeoutMs: options.timeoutMs ?? 30_000,
    retry: { maxRetries: options.maxRetries ?? 3, longestWaitMs: options.longestWaitMs ?? 10_000 },
    onReply: options.onReply,
    signal: options.signal,
    fetch: options.fetch ?? globalFetch,
  };
}

/** Without a slash at the end. A password in the address would show up in messages. */
function baseUrlOf(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new JaraInputError("baseUrl is not an address. Give the whole of it, such as https://api.example.com.");
  }
  if (!/^https?:$/.test(url.protocol)) throw new JaraInputError("baseUrl begins with https:// or http://.");
  if (url.username !== "" || url.password !== "") {
    throw new JaraInputError("baseUrl holds a user name or password. Leave them out; Jara takes the secret key only.");
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

/** Refuses a key that cannot be one, without ever repeating it. */
export function checkSecretKey(secretKey: string, mayBeBrowser: boolean): void {
  if (isBrowser() && !mayBeBrowser) {
    throw new JaraInputError(
      "A secret key does not belong in a browser: everybody who opens the page can read it and spend your money. Call Jara from your server; in the browser, use hostedCheckout with a session's address.",
    );
  }
  if (typeof secretKey !== "string" || !/^sk_[\x21-\x7e]+$/.test(secretKey)) {
    throw new JaraInputError(
      "secretKey is not a secret key: it begins with sk_test_ or sk_live_ and has no spaces. Check that it was copied whole.",
    );
  }
}

function isBrowser(): boolean {
  const { window } = globalThis as { window?: { document?: unknown } };
  return window?.document !== undefined;
}
