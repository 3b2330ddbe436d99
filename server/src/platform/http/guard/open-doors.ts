/**
 * What anybody may call without a key: the console's sign-in, invitations, the demo shop, providers' webhooks, and all
 * public files. Each request takes a token of its address before a byte of its body is read, so that refusals by
 * schema, by signature or by size count as well. Routes with a guard of their own count by key, person or page instead.
 */
import type { FastifyRequest, onRequestHookHandler } from "fastify";
import { createRateLimiter, takeToken } from "./rate-limit.ts";
import { bucketOf } from "./strangers.ts";

/** Nothing that a stranger sends is longer: a provider's webhook has two or three thousand bytes. */
export const strangersBodyLimitBytes = 16_384;

/** A person types; a provider's webhook that was right gives its token back. */
const mostPerAddress = 10;

/**
 * `perSecond` is JARA_RATE_LIMIT; 0 turns this limit off as well. What changes something has a bucket for each route,
 * and all files have one together: a page of the console alone is some thirty of them.
 */
export function countStrangers(perSecond: number): onRequestHookHandler {
  if (perSecond === 0) return (_, __, done) => done();
  const most = Math.min(perSecond, mostPerAddress);
  const writes = createRateLimiter({ perSecond: most, burst: most * 4 });
  const reads = createRateLimiter({ perSecond, burst: perSecond * 2 });
  return (request, reply, done) => {
    if (!isOpen(request)) return done();
    const address = bucketOf(request.ip);
    const isRead = request.method === "GET" || request.method === "HEAD";
    const [limiter, name] = isRead ? [reads, address] : [writes, `${address} ${request.routeOptions.url}`];
    request.giveBack = () => limiter.giveBack(name);
    try {
      takeToken(limiter, name, reply);
    } catch (refusal) {
      return done(refusal as Error);
    }
    done();
  };
}

function isOpen({ routeOptions }: FastifyRequest): boolean {
  const { guard, isUncounted = false } = routeOptions.config;
  return (guard === undefined || guard === "visitor") && !isUncounted;
}
