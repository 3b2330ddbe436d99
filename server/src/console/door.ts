/**
 * The console speaks the public API. Behind two prefixes the same routes are served, and a person's session stands in
 * for the key:
 *
 *   /console/api/environments/{environmentId}/transfers   ─▶  /transfers, in that environment
 *   /console/api/operator/merchants                       ─▶  /operator/merchants
 *
 * The prefix is taken off before a route is looked for, and remembered. A session opens a route exactly when the prefix
 * was there: a cookie that a browser sends along to any other path means nothing, and so does a key behind the prefix.
 *
 * A browser sends cookies also when another site made it ask. What changes something must therefore come from our own
 * pages: it names our origin, which no other page can, and carries a header that no other page may send.
 */
import type { IncomingMessage } from "node:http";
import type { FastifyRequest, onRequestHookHandler } from "fastify";
import { commonProblem } from "../platform/problem.ts";
import { consoleProblem } from "./errors.ts";

export type Door = { readonly guard: "key"; readonly environmentId: string } | { readonly guard: "operator" };

const doors = new WeakMap<IncomingMessage, Door>();

const ours = "/console/api/";
/** An id may come in capitals; the path may not, or the keeper below would not know it for ours. */
const toEnvironment = /^\/console\/api\/environments\/([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})(\/.*)$/;
const toOperator = /^\/console\/api(\/operator\/.*)$/;

/** Fastify's `rewriteUrl`: the path without its prefix. A prefix is taken off once, and what is left is no door again. */
export function openDoor(request: IncomingMessage): string {
  const { url = "/" } = request;
  const [, environmentId, path] = toEnvironment.exec(url) ?? [];
  if (environmentId !== undefined && path !== undefined) {
    doors.set(request, { guard: "key", environmentId: environmentId.toLowerCase() });
    return path;
  }
  const operators = toOperator.exec(url)?.[1];
  if (operators === undefined) return url;
  doors.set(request, { guard: "operator" });
  return operators;
}

/** The door that a request came through, or undefined when it came as every caller of the API does. */
export function doorOf({ raw }: FastifyRequest): Door | undefined {
  return doors.get(raw);
}

/** Runs before any guard: behind a door are the routes of its guard and no others, and changes come from our pages. */
export function keepDoors(publicUrl: string): onRequestHookHandler {
  return (request, _, done) => {
    const door = doorOf(request);
    if (door === undefined && !request.originalUrl.startsWith(ours)) return done();
    if (door !== undefined && request.routeOptions.config.guard !== door.guard) return done(commonProblem("not_found"));
    if (isReading(request) || isFromOurPages(request, publicUrl)) return done();
    done(consoleProblem("cross_site_request"));
  };
}

export function isReading({ method }: FastifyRequest): boolean {
  return method === "GET" || method === "HEAD";
}

function isFromOurPages({ headers, host }: FastifyRequest, publicUrl: string): boolean {
  const { origin } = headers;
  if (headers["x-jara-console"] !== "1" || origin === undefined) return false;
  const { protocol, origin: own } = new URL(publicUrl);
  // A local server is also called 127.0.0.1, or by its name in the house.
  return origin === own || (protocol === "http:" && origin === `http://${host}`);
}
