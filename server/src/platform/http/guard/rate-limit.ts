/**
 * Token buckets, one a name, in the memory of this process: a bucket holds `burst` tokens and gains `perSecond` of
 * them each second. Several API processes each allow the full rate. A bucket that has been left alone long enough is
 * full again and so the same as none, which bounds the memory: full ones are dropped when there are too many.
 */
import type { FastifyReply } from "fastify";
import { commonProblem } from "../../problem.ts";

export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

export interface Allowance {
  readonly allowed: boolean;
  /** Whole tokens that are left. */
  readonly remaining: number;
  /** Seconds until one token is there (refused) or until the bucket is full again (allowed). */
  readonly waitSeconds: number;
}

export interface RateLimiter {
  readonly limit: RateLimit;
  /** Takes one token if there is one. */
  take(name: string): Allowance;
  /** Undoes a `take`, for a caller that turned out to be welcome. */
  giveBack(name: string): void;
  /** True while the named bucket has no token; takes nothing. */
  isEmpty(name: string): boolean;
  /** How many buckets are remembered. */
  size(): number;
}

interface Bucket {
  tokens: number;
  at: number;
}

const mostBuckets = 20_000;

export function createRateLimiter(limit: RateLimit, now: () => number = () => performance.now()): RateLimiter {
  const buckets = new Map<string, Bucket>();

  const refill = (bucket: Bucket, at: number): void => {
    bucket.tokens = Math.min(limit.burst, bucket.tokens + ((at - bucket.at) / 1000) * limit.perSecond);
    bucket.at = at;
  };
  const open = (name: string, at: number): Bucket => {
    if (buckets.size >= mostBuckets) makeRoom(buckets, limit, at);
    const bucket = { tokens: limit.burst, at };
    buckets.set(name, bucket);
    return bucket;
  };

  return {
    limit,
    take(name) {
      const at = now();
      const bucket = buckets.get(name) ?? open(name, at);
      refill(bucket, at);
      if (bucket.tokens < 1) {
        return { allowed: false, remaining: 0, waitSeconds: Math.ceil((1 - bucket.tokens) / limit.perSecond) };
      }
      bucket.tokens -= 1;
      const waitSeconds = Math.ceil((limit.burst - bucket.tokens) / limit.perSecond);
      return { allowed: true, remaining: Math.floor(bucket.tokens), waitSeconds };
    },
    giveBack(name) {
      const bucket = buckets.get(name);
      if (bucket !== undefined) bucket.tokens = Math.min(limit.burst, bucket.tokens + 1);
    },
    isEmpty(name) {
      const bucket = buckets.get(name);
      if (bucket === undefined) return false;
      refill(bucket, now());
      return bucket.tokens < 1;
    },
    size: () => buckets.size,
  };
}

/** Takes a token and tells the caller how many are left; throws `rate_limited` if there is none. */
export function takeToken(limiter: RateLimiter, name: string, reply: FastifyReply): void {
  const { allowed, remaining, waitSeconds } = limiter.take(name);
  reply.header("ratelimit-limit", limiter.limit.burst);
  reply.header("ratelimit-remaining", remaining);
  reply.header("ratelimit-reset", waitSeconds);
  if (!allowed) throw commonProblem("rate_limited", { headers: { "Retry-After": String(waitSeconds) } });
}

/** Drops the buckets that are full by now; if a flood of names keeps all of them in use, the oldest tenth goes. */
function makeRoom(buckets: Map<string, Bucket>, limit: RateLimit, at: number): void {
  for (const [name, bucket] of buckets) {
    if (bucket.tokens + ((at - bucket.at) / 1000) * limit.perSecond >= limit.burst) buckets.delete(name);
  }
  let surplus = buckets.size - mostBuckets * 0.9;
  for (const name of buckets.keys()) {
    if (surplus <= 0) return;
    buckets.delete(name);
    surplus -= 1;
  }
}
