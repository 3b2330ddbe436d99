/** Stands in for the network: the browser's `fetch` returns what a test says, and remembers what was asked. */
import { onTestFinished, vi } from "vitest";

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a path returns: `data` of a 200, a whole reply, or a promise of either. */
type Reply = unknown | Response | Promise<unknown>;

/** A name is a method and how the path begins; of several the longest is meant. */
export function replyWith(replies: Readonly<Record<string, (asked: Asked) => Reply>>): readonly Asked[] {
  const seen: Asked[] = [];
  vi.stubGlobal("fetch", async (path: string, { method = "GET", body, headers = {} }: RequestInit = {}) => {
    const asked = {
      method,
      path,
      body: typeof body === "string" ? JSON.parse(body) : undefined,
      headers: headers as Record<string, string>,
    };
    seen.push(asked);
    const names = Object.keys(replies).filter((each) => `${method} ${path}`.startsWith(each));
    const [name] = names.sort((one, other) => other.length - one.length);
    const reply = name === undefined ? refuse(404, "not_found") : await replies[name]?.(asked);
    return reply instanceof Response ? reply : Response.json({ status: true, data: reply });
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  return seen;
}

interface Detail {
  readonly message?: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
  readonly data?: Readonly<Record<string, unknown>>;
  readonly waitSeconds?: number;
}

export function refuse(status: number, code: string, { message = "Refused.", waitSeconds, ...rest }: Detail = {}) {
  const headers = waitSeconds === undefined ? {} : { "retry-after": String(waitSeconds) };
  return Response.json({ status: false, code, message, errors: [], data: {}, ...rest }, { status, headers });
}

/** A line that is cut before any reply comes. */
export function brokenLine(): never {
  throw new TypeError("fetch failed");
}

/** A reply that comes when the test says so. */
export function held(): { readonly reply: Promise<unknown>; give(data: unknown): void } {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  return { reply: promise, give: resolve };
}
