/**
 * Slows down who guesses keys or page tokens. Every refused one takes a token from the bucket of its address; while
 * that bucket is empty the address is refused before its key is looked at. The bucket is generous, because one address
 * can stand for a whole office. An IPv6 host owns its /64, so that is what counts.
 */
import ipaddr from "ipaddr.js";
import { commonProblem, Problem } from "../problem.ts";
import { createRateLimiter } from "../rate-limit.ts";

export interface Strangers {
  /** Throws `rate_limited` while the address has no tokens left. */
  admit(address: string): void;
  /** Counts a refusal; errors that are not about the key do not count. */
  note(address: string, error: unknown): void;
}

const off: Strangers = { admit: () => {}, note: () => {} };

export function createStrangers(perSecond: number): Strangers {
  if (perSecond === 0) return off;
  const refusals = createRateLimiter({ perSecond, burst: perSecond * 10 });
  return {
    admit(address) {
      if (refusals.size() === 0 || !refusals.isEmpty(bucketOf(address))) return;
      throw commonProblem("rate_limited", {
        message: "Too many refused keys from this address. Wait for the seconds in Retry-After.",
        headers: { "Retry-After": "1" },
      });
    },
    note(address, error) {
      if (error instanceof Problem && error.status === 401) refusals.take(bucketOf(address));
    },
  };
}

export function bucketOf(address: string): string {
  if (!address.includes(":") || !ipaddr.IPv6.isValid(address)) return address;
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return parsed.parts.slice(0, 4).join(":");
}
