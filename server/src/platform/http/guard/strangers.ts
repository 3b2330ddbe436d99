/**
 * Slows down who guesses keys or page tokens. Every refused one takes a token from the bucket of its address; while
 * that bucket is empty, refusals of the address say `rate_limited`, and its keys are looked at a few at a time, so that
 * guessing does not load the database. A right key comes in all the same: strangers behind one address with a merchant
 * (an office, a proxy) cannot lock it out. An IPv6 host owns its /64, so that is what counts.
 */
import ipaddr from "ipaddr.js";
import { commonProblem, Problem } from "../../problem.ts";
import { createTurns } from "../../work/turns.ts";
import { createRateLimiter } from "./rate-limit.ts";

export interface Strangers {
  /** Lets in whom `authenticate` knows, and counts those it refuses with 401. */
  enter<T>(address: string, authenticate: () => Promise<T>): Promise<T>;
}

const off: Strangers = { enter: (_, authenticate) => authenticate() };
const looksAtOnce = 2;

export function createStrangers(perSecond: number): Strangers {
  if (perSecond === 0) return off;
  const refusals = createRateLimiter({ perSecond, burst: perSecond * 10 });
  const turns = createTurns({ places: looksAtOnce });
  return {
    async enter(address, authenticate) {
      const bucket = bucketOf(address);
      const tooMany = refusals.isEmpty(bucket);
      try {
        return await (tooMany ? turns.take(bucket, authenticate) : authenticate());
      } catch (error) {
        if (!(error instanceof Problem) || error.status !== 401) throw error;
        if (tooMany) throw tooManyRefused(error);
        refusals.take(bucket);
        throw error;
      }
    },
  };
}

function tooManyRefused(cause: Problem): Problem {
  return commonProblem("rate_limited", {
    cause,
    message: "Too many refused keys from this address, and this one is not right either. Wait for Retry-After seconds.",
    headers: { "Retry-After": "1" },
  });
}

export function bucketOf(address: string): string {
  if (!address.includes(":") || !ipaddr.IPv6.isValid(address)) return address;
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return parsed.parts.slice(0, 4).join(":");
}
