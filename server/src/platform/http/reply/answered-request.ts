/** A request with a secret key that has its reply, as the log of requests wants it. Nothing is copied for it. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../caller.ts";
import { warningHeader } from "./replies.ts";

export interface AnsweredRequest {
  readonly caller: Caller;
  readonly at: Date;
  readonly requestId: string;
  readonly method: string;
  /** The path as the reference writes it, and as it was called. */
  readonly route: string;
  readonly url: string;
  readonly status: number;
  /** Of a refusal. */
  readonly code: string | null;
  readonly durationMs: number;
  readonly idempotencyKey: string | null;
  readonly userAgent: string | null;
  readonly warning: string | null;
  /** The reply of an earlier request was sent again. */
  readonly replayed: boolean;
  readonly requestBody: Buffer | null;
  readonly responseBody: string | null;
}

export function answeredRequest(request: FastifyRequest, reply: FastifyReply): AnsweredRequest | undefined {
  const { caller, replied } = request;
  // A person at the console reads on and on; what an application sent would drown in it.
  if (caller === null || caller.person !== null) return undefined;
  const durationMs = reply.elapsedTime;
  return {
    caller,
    at: new Date(Date.now() - durationMs),
    requestId: request.id,
    method: request.method,
    route: routeOf(request.routeOptions.url ?? ""),
    url: request.url,
    status: reply.statusCode,
    code: replied?.code ?? null,
    durationMs: Math.round(durationMs),
    idempotencyKey: textOf(request.headers["idempotency-key"]),
    userAgent: textOf(request.headers["user-agent"]),
    warning: textOf(reply.getHeader(warningHeader)),
    replayed: reply.hasHeader("idempotent-replayed"),
    requestBody: request.rawBody,
    responseBody: replied?.body ?? null,
  };
}

/** The first member of a reply that is called an id. */
const firstId = /"(?:id|[a-zA-Z_]*[a-z]_?[iI]d)":"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/;

/** What a write made or changed: the record in its reply. */
export function recordOf(answered: Pick<AnsweredRequest, "method" | "status" | "responseBody">): string | null {
  const { method, status, responseBody } = answered;
  if (method === "GET" || status >= 300 || responseBody === null) return null;
  return firstId.exec(responseBody)?.[1] ?? null;
}

function textOf(header: unknown): string | null {
  return typeof header === "string" ? header : null;
}

/** There are as many as the API has operations. */
const routes = new Map<string, string>();

export function routeOf(url: string): string {
  const known = routes.get(url);
  if (known !== undefined) return known;
  const route = url.replaceAll(/:(\w+)/g, "{$1}");
  routes.set(url, route);
  return route;
}
