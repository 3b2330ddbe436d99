/**
 * The wire to a provider. One call is one request: no redirects, no retries, a limit on time and on the size of the
 * reply. It never throws: what went wrong is a kind of reply, because what it means for an order is decided by whoever
 * sent it.
 */
import { Agent, type Dispatcher, request } from "undici";
import { parseWireJson } from "./wire-json.ts";

export type WireReply =
  | {
      readonly kind: "answer";
      readonly status: number;
      /** Undefined when the body is not JSON. */
      readonly body: unknown;
      readonly headers: Readonly<Record<string, string | string[] | undefined>>;
    }
  /** The request cannot have left: no address, no connection, no trust in the certificate. */
  | { readonly kind: "not_sent"; readonly why: string }
  /** It may have arrived, and no whole answer came back. */
  | { readonly kind: "no_answer"; readonly why: string };

export interface WireCall {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below the base address, with a leading slash. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly timeoutMs?: number;
}

export interface ProviderClient {
  call(call: WireCall): Promise<WireReply>;
  close(): Promise<void>;
}

export interface ProviderClientOptions {
  readonly baseUrl: string;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  /** Told of every call whether an answer came. */
  readonly onCall?: ((answered: boolean) => void) | undefined;
}

const standardTimeoutMs = 25_000;
const standardMaxBytes = 4 * 1024 * 1024;
const connectMs = 10_000;

export function createProviderClient(options: ProviderClientOptions): ProviderClient {
  const { timeoutMs = standardTimeoutMs, maxBytes = standardMaxBytes } = options;
  const base = options.baseUrl.replace(/\/+$/, "");
  const dispatcher = new Agent({
    connect: { timeout: connectMs },
    pipelining: 1,
    keepAliveTimeout: 10_000,
    keepAliveMaxTimeout: 60_000,
    maxHeaderSize: 16_384,
  });
  return {
    async call(call) {
      const reply = await send({ dispatcher, url: addressOf(base, call), maxBytes }, { timeoutMs, ...call });
      options.onCall?.(reply.kind === "answer" && reply.status < 500);
      return reply;
    },
    close: () => dispatcher.destroy(),
  };
}

function addressOf(base: string, { path, query = {} }: WireCall): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, value);
  return search.size === 0 ? `${base}${path}` : `${base}${path}?${search}`;
}

interface Wire {
  readonly dispatcher: Dispatcher;
  readonly url: string;
  readonly maxBytes: number;
}

async function send(wire: Wire, call: WireCall & { readonly timeoutMs: number }): Promise<WireReply> {
  const { dispatcher, url, maxBytes } = wire;
  const content = call.body === undefined ? undefined : JSON.stringify(call.body);
  const headers = {
    accept: "application/json",
    ...(content === undefined ? {} : { "content-type": "application/json" }),
    ...call.headers,
  };
  try {
    const signal = AbortSignal.timeout(call.timeoutMs);
    const reply = await request(url, { dispatcher, method: call.method, headers, signal, body: content ?? null });
    const text = await readWhole(reply.body, maxBytes);
    if (text === undefined) return { kind: "no_answer", why: `the reply is longer than ${maxBytes} bytes` };
    return { kind: "answer", status: reply.statusCode, body: parseWireJson(text), headers: reply.headers };
  } catch (error) {
    const why = wordsOf(error);
    return neverLeft(error) ? { kind: "not_sent", why } : { kind: "no_answer", why };
  }
}

async function readWhole(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

const beforeSending: ReadonlySet<string> = new Set([
  "ENOTFOUND",
  "EAI_AGAIN",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

/** Only these say that no byte of the request was sent. A connection that breaks later may have carried it. */
function neverLeft(error: unknown): boolean {
  const codes = [error, error instanceof Error ? error.cause : undefined].map(codeOf);
  return codes.some((code) => beforeSending.has(code));
}

/** A code or a class of errors, never the message: addresses of providers carry people's numbers. */
function wordsOf(error: unknown): string {
  return codeOf(error) || (error instanceof Error ? error.name : "error");
}

function codeOf(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
}
