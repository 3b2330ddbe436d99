/**
 * Who may come in: the key, operator token or page token, the rate of that key or page, the scope, and test keys only
 * where it says so.
 */

import type { FastifyReply, onRequestAsyncHookHandler } from "fastify";
import { commonProblem } from "../problem.ts";
import { bearerToken } from "./bearer.ts";
import { httpProblem } from "./http-problems.ts";
import { createRateLimiter, type RateLimiter } from "./rate-limit.ts";
import type { Caller, Page, PageKind, Route } from "./route.ts";
import { bucketOf, createStrangers, type Strangers } from "./strangers.ts";

export interface Authentication {
  authenticate(authorization: string | undefined, address: string): Promise<Caller>;
  authenticateOperator(authorization: string | undefined): Promise<{ readonly name: string }>;
  /** Throws `scope_missing`. */
  requireScope(caller: Caller, scope: string): void;
  /** Undefined when no page of this kind has the token. */
  findPage(kind: PageKind, token: string): Promise<Page | undefined>;
}

export interface GuardDependencies extends Authentication {
  readonly strangers: Strangers;
  /** Null when the operator turned the limit off. */
  readonly keyLimiter: RateLimiter | null;
  readonly pageLimiter: RateLimiter | null;
}

/** One person clicks and a page asks about once a second; the rest is for reloads and second devices. */
const mostPerPage = 10;

/** `perSecond` is JARA_RATE_LIMIT: requests a second and key, with bursts of twice that; 0 turns limits off. */
export function createGuardDependencies(authentication: Authentication, perSecond: number): GuardDependencies {
  return {
    ...authentication,
    strangers: createStrangers(perSecond),
    keyLimiter: limiterOf(perSecond, perSecond * 2),
    pageLimiter: limiterOf(Math.min(perSecond, mostPerPage), Math.min(perSecond, mostPerPage) * 4),
  };
}

function limiterOf(perSecond: number, burst: number): RateLimiter | null {
  return perSecond === 0 ? null : createRateLimiter({ perSecond, burst });
}

export function guardFor(route: Route, deps: GuardDependencies): onRequestAsyncHookHandler {
  if (route.guard === "page") return pageGuard(route, deps);
  return route.guard === "key" ? keyGuard(route, deps) : operatorGuard(deps);
}

function keyGuard(route: Route & { guard: "key" }, deps: GuardDependencies): onRequestAsyncHookHandler {
  const { strangers, keyLimiter } = deps;
  const bucket = route.rateBucket === undefined ? "" : `/${route.rateBucket}`;
  return async (request, reply) => {
    const address = request.ip;
    const caller = await strangers.enter(address, () => deps.authenticate(request.headers.authorization, address));
    if (keyLimiter !== null) takeToken(keyLimiter, bucket === "" ? caller.keyId : caller.keyId + bucket, reply);
    deps.requireScope(caller, route.scope);
    refuseLiveKeys(route, caller);
    request.caller = caller;
  };
}

function refuseLiveKeys(route: Route & { guard: "key" }, caller: Caller): void {
  if (route.sandboxOnly === true && caller.kind !== "SANDBOX") throw httpProblem("sandbox_only");
}

function operatorGuard(deps: GuardDependencies): onRequestAsyncHookHandler {
  return async (request) => {
    const authenticate = () => deps.authenticateOperator(request.headers.authorization);
    request.operator = await deps.strangers.enter(request.ip, authenticate);
  };
}

function pageGuard({ page: kind }: Route & { guard: "page" }, deps: GuardDependencies): onRequestAsyncHookHandler {
  const { strangers, pageLimiter } = deps;
  return async (request, reply) => {
    const address = request.ip;
    const page = await strangers.enter(address, () => enterPage(deps, kind, request.headers.authorization));
    // Counted by address too: a thief who got hold of a page's address cannot lock its owner out of it.
    if (pageLimiter !== null) takeToken(pageLimiter, `${page.pageId}/${bucketOf(address)}`, reply);
    request.page = page;
  };
}

/** One answer for no token, a broken one and an unknown one: a page can only be opened again. */
async function enterPage(deps: GuardDependencies, kind: PageKind, header: string | undefined): Promise<Page> {
  const token = bearerToken(header);
  const page = token === undefined ? undefined : await deps.findPage(kind, token);
  if (page === undefined) throw httpProblem("invalid_page_token", { headers: { "WWW-Authenticate": "Bearer" } });
  return page;
}

function takeToken(limiter: RateLimiter, name: string, reply: FastifyReply): void {
  const { allowed, remaining, waitSeconds } = limiter.take(name);
  reply.header("ratelimit-limit", limiter.limit.burst);
  reply.header("ratelimit-remaining", remaining);
  reply.header("ratelimit-reset", waitSeconds);
  if (!allowed) throw commonProblem("rate_limited", { headers: { "Retry-After": String(waitSeconds) } });
}
