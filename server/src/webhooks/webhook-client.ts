/**
 * Sends one message and reports what came back. It never throws: no answer is an answer too. Connections stay open
 * between messages; redirects are not followed, nothing is decompressed, and of the reply little is read.
 */

import { Agent, type Dispatcher, request } from "undici";
import type { EnvironmentKind } from "../platform/database/database.ts";
import { readRetryAfter } from "./delivery.ts";
import { reachPolicyFor, type WebhookReach } from "./reachable-address.ts";
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
  });
}

async function send(dispatcher: Agent, post: Post, totalMs: number): Promise<Answer> {
  const started = performance.now();
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), totalMs);
  const finish = (answer: Pick<Answer, "status" | "body" | "error" | "retryAfterMs">): Answer => {
    clearTimeout(timer);
    return { ...answer, sentAt: post.sentAt, durationMs: Math.round(performance.now() - started) };
  };
  try {
    const { headers, body } = post;
    const reply = await request(post.url, { dispatcher, method: "POST", headers, body, signal: limit.signal });
    return finish(await readReply(reply));
  } catch (error) {
    const reason = limit.signal.aborted ? `No answer came within ${totalMs / 1_000} seconds.` : reasonOf(error);
    return finish({ status: null, body: "", error: reason, retryAfterMs: null });
  }
}

async function readReply(reply: Dispatcher.ResponseData) {
  const status = reply.statusCode;
  const retryAfter = reply.headers["retry-after"];
  const body = await readStart(reply.body);
  const redirect = status >= 300 && status < 400;
  return {
    status,
    body,
    error: redirect ? "Redirects are not followed. Give the endpoint its final address." : null,
    retryAfterMs: readRetryAfter(Array.isArray(retryAfter) ? retryAfter[0] : retryAfter, new Date()),
  };
}

/** A reply that breaks off or does not end keeps what came of it: the status counts, and it has come. */
async function readStart(body: Dispatcher.ResponseData["body"]): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const timer = setTimeout(() => body.destroy(), bodyMs);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (bytes < keptBytes) chunks.push(chunk.subarray(0, keptBytes - bytes));
      bytes += chunk.length;
      if (bytes > drainedBytes) break;
    }
  } catch {
    // The connection is gone, and with it the rest of a text that is only kept for reading.
  } finally {
    clearTimeout(timer);
  }
  // PostgreSQL keeps no NUL in a text.
  return Buffer.concat(chunks).toString("utf8").replaceAll("\0", "");
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
