/** The last step of every answer: headers, status, bytes. */
import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import type { Problem } from "../../problem.ts";
import type { PresentedReply, Streamed } from "../route.ts";
import { apiVersion, errorText } from "./envelope.ts";
import { familyOfUrl } from "./known-paths.ts";

const json = "application/json; charset=utf-8";

/** Set by hand, because a plugin for four constant headers cost a third of the throughput. */
const jsonHeaders: readonly (readonly [string, string])[] = [
  ["content-type", json],
  ["cache-control", "no-store"],
  ["x-content-type-options", "nosniff"],
  ["content-security-policy", "default-src 'none'; frame-ancestors 'none'"],
  ["referrer-policy", "no-referrer"],
];

/** What a request did not go wrong by, and its sender should know all the same. */
export const warningHeader = "jara-warning";

/** A warning joins those that are there already. */
function setHeaders(reply: FastifyReply, headers: Readonly<Record<string, string>>): void {
  const earlier = reply.getHeader(warningHeader);
  reply.headers(headers);
  const added = headers[warningHeader];
  if (earlier !== undefined && added !== undefined) reply.header(warningHeader, `${earlier}; ${added}`);
}

export function setCommonHeaders(reply: FastifyReply, requestId: string): void {
  reply.header("x-request-id", requestId);
  reply.header("api-version", apiVersion);
}

export function sendPresented(
  reply: FastifyReply,
  presented: PresentedReply,
  headers?: Readonly<Record<string, string>>,
  code: string | null = null,
): FastifyReply {
  for (const [name, value] of jsonHeaders) reply.header(name, value);
  if (reply.server.shutdown.begun) reply.header("connection", "close");
  if (headers !== undefined) setHeaders(reply, headers);
  reply.request.replied = { body: presented.body, code };
  return reply.code(presented.status).send(presented.body);
}

/**
 * For what seldom changes: the caller may keep it and asks with If-None-Match whether it still holds. Every key sees
 * its own answer, hence private.
 */
export function sendCached(
  reply: FastifyReply,
  presented: PresentedReply,
  { "if-none-match": known }: IncomingHttpHeaders,
): FastifyReply {
  const tag = `"${createHash("sha256").update(presented.body).digest("base64url")}"`;
  const headers = { etag: tag, "cache-control": "private, no-cache", vary: "authorization" };
  if (!isKnownTag(known, tag)) return sendPresented(reply, presented, headers);
  return reply.headers(headers).code(304).send();
}

/** Whether the caller's If-None-Match names what we would send. */
export function isKnownTag(ifNoneMatch: string | undefined, tag: string): boolean {
  const tags = ifNoneMatch?.split(",").map((one) => one.trim().replace(/^W\//, "")) ?? [];
  return tags.includes(tag) || tags.includes("*");
}

/** Node asks for the next chunk when the socket has taken the last; a failure half-way cuts the connection. */
export function sendStreamed(reply: FastifyReply, { mediaType, chunks, headers, stallMs }: Streamed): FastifyReply {
  for (const [name, value] of jsonHeaders) reply.header(name, value);
  reply.header("content-type", `${mediaType}; charset=utf-8`);
  if (headers !== undefined) setHeaders(reply, headers);
  // Whoever streams for minutes may be cut by our stopping: the connection ends with the reply, and holds nothing open.
  if (stallMs !== undefined) reply.header("connection", "close");
  const taken = stallMs === undefined ? chunks : cutWhenStalled(chunks, stallMs, () => reply.raw.destroy());
  return reply.code(200).send(Readable.from(taken));
}

/** Behind a `yield` the caller has taken the chunk, or its buffers have room for it. */
async function* cutWhenStalled(chunks: AsyncIterable<string>, stallMs: number, cut: () => void) {
  for await (const chunk of chunks) {
    const timer = setTimeout(cut, stallMs);
    try {
      yield chunk;
    } finally {
      clearTimeout(timer);
    }
  }
}

export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  const { id, url } = reply.request;
  const body = errorText(familyOfUrl(url), problem, id);
  reply.header("link", helpLink(reply.server.publicUrl, problem.code));
  return sendPresented(reply, { status: problem.status, body }, problem.headers, problem.code);
}

/**
 * Where the documentation explains a code. It goes into a header, because the bodies of errors are a contract; a
 * program passes it on, and a person who looks at the headers clicks on it.
 */
export function helpLink(publicUrl: string, code: string): string {
  return `<${publicUrl}/docs/errors#${code}>; rel="help"`;
}
