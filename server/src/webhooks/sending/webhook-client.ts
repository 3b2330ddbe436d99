/**
 * Sends one message and reports what came back. It never throws: no answer is an answer too. Connections stay open
 * between messages; redirects are not followed, nothing is decompressed, and of the reply little is read.
 */

import { Agent, type Dispatcher } from "undici";
import type { EnvironmentKind } from "../../platform/database/database.ts";
import { readRetryAfter } from "../deliveries/delivery.ts";
import { reachPolicyFor, type WebhookReach } from "../endpoints/reachable-address.ts";
import { createSafeConnector } from "./safe-connector.ts";

export interface Answer {
  /** Null when none came, or none that could be read. */
  readonly status: number | null;
  /** The first 2 KiB of the reply. */
  readonly body: string;
  /** Why the message counts as not delivered, where the status alone does not say it. */
  readonly error: string | null;
  readonly retryAfterMs: number | null;
  readonly sentAt: Date;
  readonly durationMs: number;
}

export interface Post {
  readonly environment: EnvironmentKind;
  readonly url: string;
  readonly sentAt: Date;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface WebhookClient {
  send(post: Post): Promise<Answer>;
  close(): Promise<void>;
}

export interface WebhookClientOptions {
  readonly reach: WebhookReach;
  readonly totalMs?: number;
}

const keptBytes = 2_048;
/** A longer reply costs its connection: reading all of it would cost more. */
const drainedBytes = 65_536;
const standardTotalMs = 15_000;
/** Acknowledged is acknowledged; the rest of the reply is waited for a little, to keep the connection. */
const bodyMs = 1_000;

export function createWebhookClient({ reach, totalMs = standardTotalMs }: WebhookClientOptions): WebhookClient {
  const agents = { SANDBOX: agentFor("SANDBOX", reach), LIVE: agentFor("LIVE", reach) };
  return {
    send: (post) => send(agents[post.environment], post, totalMs),
    close: async () => {
      await Promise.all([agents.SANDBOX.destroy(), agents.LIVE.destroy()]);
    },
  };
}

/** As many connections as messages under way: how many there may be is decided for each endpoint, not for a host. */
function agentFor(kind: EnvironmentKind, reach: WebhookReach): Agent {
  return new Agent({
    connect: createSafeConnector({ policy: reachPolicyFor(kind, reach), timeoutMs: 10_000 }),
    connections: null,
    pipelining: 1,
    keepAliveTimeout: 10_000,
    keepAliveMaxTimeout: 60_000,
    maxHeaderSize: 16_384,
    // Each message has its own limits here.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

type Outcome = Pick<Answer, "status" | "body" | "error" | "retryAfterMs">;

/** Speaks to the dispatcher itself: a stream and a signal for each message would cost as much as sending it. */
function send(dispatcher: Agent, post: Post, totalMs: number): Promise<Answer> {
  const started = performance.now();
  const { headers, body, sentAt } = post;
  return new Promise((resolve) => {
    const finish = (outcome: Outcome, endedAt = performance.now()): void =>
      resolve({ ...outcome, sentAt, durationMs: Math.round(endedAt - started) });
    const fail = (error: string): void => finish({ status: null, body: "", error, retryAfterMs: null });
    try {
      const { origin, pathname, search } = new URL(post.url);
      const reader = createReader({ totalMs, sentAt }, finish, fail);
      dispatcher.dispatch({ origin, path: pathname + search, method: "POST", headers: { ...headers }, body }, reader);
    } catch (error) {
      fail(reasonOf(error));
    }
  });
}

/**
 * Reads one reply and tells once what came of it. A reply that breaks off or does not end keeps what came of it: the
 * status counts, and it has come.
 */
function createReader(
  { totalMs, sentAt }: { readonly totalMs: number; readonly sentAt: Date },
  finish: (outcome: Outcome, endedAt?: number) => void,
  fail: (error: string) => void,
): Dispatcher.DispatchHandler {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let reply: Pick<Outcome, "status" | "error" | "retryAfterMs"> | undefined;
  let connection: Dispatcher.DispatchController | undefined;
  let isOver = false;
  let timer = setTimeout(() => end(`No answer came within ${totalMs / 1_000} seconds.`), totalMs);

  function end(error: string, endedAt?: number): void {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    if (reply === undefined) fail(error);
    else finish({ ...reply, body: textOf(chunks) }, endedAt);
    connection?.abort(given);
  }

  return {
    onRequestStart(controller) {
      if (isOver) controller.abort(given);
      else connection = controller;
    },
    onResponseStart(_controller, status, headers) {
      if (status < 200 || isOver) return;
      reply = describe(status, headers["retry-after"], sentAt);
      clearTimeout(timer);
      timer = setTimeout(end, bodyMs, "");
    },
    onResponseData(_controller, chunk) {
      if (bytes < keptBytes) chunks.push(chunk.subarray(0, keptBytes - bytes));
      bytes += chunk.length;
      if (bytes > drainedBytes) end("");
    },
    onResponseEnd() {
      connection = undefined;
      // The connection is used again from the next turn of the event loop on: told now, the next message would open one
      // of its own. undici asks for that turn when we return, and we ask after it.
      queueMicrotask(() => setImmediate(end, "", performance.now()));
    },
    onResponseError(_controller, error) {
      connection = undefined;
      end(reasonOf(error));
    },
  };
}

/** Why we let go of a connection ourselves. */
const given = new Error("enough was read, or waited for");

function describe(status: number, retryAfter: string | string[] | undefined, sentAt: Date): Omit<Outcome, "body"> {
  const redirect = status >= 300 && status < 400;
  return {
    status,
    error: redirect ? "Redirects are not followed. Give the endpoint its final address." : null,
    retryAfterMs: readRetryAfter(Array.isArray(retryAfter) ? retryAfter[0] : retryAfter, sentAt),
  };
}

function textOf(chunks: readonly Buffer[]): string {
  const [first] = chunks;
  if (first === undefined) return "";
  const text = chunks.length === 1 ? first.toString("utf8") : Buffer.concat(chunks).toString("utf8");
  // PostgreSQL keeps no NUL in a text.
  return text.replaceAll("\0", "");
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "The connection was refused.",
  ECONNRESET: "The connection was closed before an answer came.",
  UND_ERR_SOCKET: "The connection was closed before an answer came.",
  UND_ERR_CONNECT_TIMEOUT: "No connection could be made in time.",
  ETIMEDOUT: "No connection could be made in time.",
  ENOTFOUND: "The host name was not found.",
  EAI_AGAIN: "The host name could not be resolved.",
  EHOSTUNREACH: "The host cannot be reached.",
  ENETUNREACH: "The network cannot be reached.",
};

/** A sentence for the merchant. Several addresses may each have failed; the first tells. */
function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  if (!(first instanceof Error)) return "The message could not be sent.";
  const code = "code" in first ? String(first.code) : "";
  return reasons[code] ?? `${first.message.slice(0, 300)}${code === "" ? "" : ` (${code})`}`;
}
