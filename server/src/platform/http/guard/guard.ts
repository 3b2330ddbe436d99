/**
 * Who may come in: the key, operator token, page token or signed-in person, the rate of that key, page or person, the
 * scope, and test keys only where it says so.
 */
import type { FastifyRequest, onRequestAsyncHookHandler } from "fastify";
import type { Caller, Member, Page, PageKind, Person } from "../caller.ts";
import { httpProblem } from "../http-problems.ts";
import type { Route } from "../route.ts";
import { createRateLimiter, type RateLimiter, takeToken } from "./rate-limit.ts";
import { bucketOf, createStrangers, type Strangers } from "./strangers.ts";

export interface Authentication {
  authenticate(request: FastifyRequest): Promise<Caller>;
  /** Throws `not_found` for whoever does not come through the console's door, with a key or without. */
  authenticateMember(request: FastifyRequest): Promise<Member>;
  authenticateOperator(request: FastifyRequest, route: Route): Promise<{ readonly name: string }>;
  authenticatePerson(request: FastifyRequest, route: Route): Promise<Person>;
  /**
   * The last word about a caller who may do what the route does: a person must have proved to be it where the route
   * wants that, and what they change is written down first.
   */
  admit(request: FastifyRequest, caller: Caller, route: Route): Promise<void>;
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
  if (route.guard === "person") return personGuard(route, deps);
  // Counted with everything else that is open to anybody, in `open-doors.ts`.
  if (route.guard === "visitor") return async () => {};
  if (route.guard === "member") return memberGuard(route, deps);
  return route.guard === "key" ? keyGuard(route, deps) : operatorGuard(route, deps);
}

function keyGuard(route: Route & { guard: "key" }, deps: GuardDependencies): onRequestAsyncHookHandler {
  const { strangers, keyLimiter } = deps;
  const bucket = route.rateBucket === undefined ? "" : `/${route.rateBucket}`;
  return async (request, reply) => {
    const caller = await strangers.enter(request.ip, () => deps.authenticate(request));
    // Known from here on: what is refused below is a request of this caller's all the same.
    request.caller = caller;
    if (keyLimiter !== null) takeToken(keyLimiter, bucket === "" ? caller.holderId : caller.holderId + bucket, reply);
    deps.requireScope(caller, route.scope);
    refuseLiveKeys(route, caller);
    if (caller.person !== null) await deps.admit(request, caller, route);
  };
}

function memberGuard(route: Route & { guard: "member" }, deps: GuardDependencies): onRequestAsyncHookHandler {
  const { strangers, keyLimiter } = deps;
  return async (request, reply) => {
    const caller = await strangers.enter(request.ip, () => deps.authenticateMember(request));
    request.caller = caller;
    if (keyLimiter !== null) takeToken(keyLimiter, caller.holderId, reply);
    deps.requireScope(caller, route.scope);
    await deps.admit(request, caller, route);
  };
}

function refuseLiveKeys(route: Route & { guard: "key" }, caller: Caller): void {
  if (route.sandboxOnly === true && caller.kind !== "SANDBOX") throw httpProblem("sandbox_only");
}

function operatorGuard(route: Route, deps: GuardDependencies): onRequestAsyncHookHandler {
  return async (request) => {
    request.operator = await deps.strangers.enter(request.ip, () => deps.authenticateOperator(request, route));
  };
}

function personGuard(route: Route, { strangers, keyLimiter, ...deps }: GuardDependencies): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const person = await strangers.enter(request.ip, () => deps.authenticatePerson(request, route));
    if (keyLimiter !== null) takeToken(keyLimiter, person.id, reply);
    request.person = person;
  };
}

function pageGuard({ page: kind }: Route & { guard: "page" }, deps: GuardDependencies): onRequestAsyncHookHandler {
  const { strangers, pageLimiter } = deps;
  return async (request, reply) => {
    const address = request.ip;
    const page = await strangers.enter(address, () => enterPage(deps, kind, request.headers.authorization));
    // Counted by address too: a thief who got hold of a page's address cannot lock its owner out of it.
    if (pageLimiter !== null)
      takeToken(pageLimiter, `${page.environmentId}/${page.pageId}/${bucketOf(address)}`, reply);
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

const bearer = /^Bearer +(\S+) *$/i;

/** The token of an Authorization header; undefined when the header is missing or has another form. */
export function bearerToken(header: string | undefined): string | undefined {
  return bearer.exec(header ?? "")?.[1];
}
