/**
 * Slows down guessing of passwords. Every attempt takes a token before its password is looked at: one of its address,
 * and one of the account. Attempts on an account are counted apart for addresses where the person has a session, and by
 * nothing else there, so nobody who empties the account's bucket from elsewhere, or the bucket of their address, locks
 * its owner out. Nothing is locked for good: buckets fill up again by themselves.
 *
 * Where no proxy is named in TRUST_PROXY, an address of the operator's own network may be the proxy's, and so
 * everybody's. Only accounts are counted there.
 */
import { isOfOwnNetwork } from "../platform/http/address-blocks.ts";
import { createRateLimiter, type RateLimit } from "../platform/http/rate-limit.ts";
import { bucketOf } from "../platform/http/strangers.ts";
import { commonProblem } from "../platform/problem.ts";

export interface Attempt {
  readonly address: string;
  /** Undefined where a person who is signed in gives a password again. */
  readonly email: string | undefined;
}

/** Addresses of the sessions that an account has. */
export type ReadAddresses = (email: string) => Promise<readonly string[]>;

const perAddress = { perSecond: 1 / 10, burst: 30 };
const passwordsPerAccount = { perSecond: 1 / 30, burst: 10 };
/** Three of a million codes are right at a time: who knows the password has one chance in a thousand a day. */
export const codesPerAccount = { perSecond: 1 / 300, burst: 5 };

interface GuardOptions {
  readonly trustProxy: false | number | string;
  readonly perAccount?: RateLimit;
  readonly now?: () => number;
}

export function createSignInGuard(
  readAddresses: ReadAddresses,
  { trustProxy, perAccount = passwordsPerAccount, now }: GuardOptions,
): (attempt: Attempt) => Promise<void> {
  const addresses = createRateLimiter(perAddress, now);
  const accounts = createRateLimiter(perAccount, now);
  return async ({ address, email }) => {
    const from = bucketOf(address);
    const isKnown = email !== undefined && (await readAddresses(email)).some((one) => bucketOf(one) === from);
    const mayBeEverybodys = trustProxy === false && isOfOwnNetwork(address);
    const waits = isKnown || mayBeEverybodys ? [] : [addresses.take(from)];
    if (email !== undefined) waits.push(accounts.take(isKnown ? `${email} from ${from}` : email));
    const waitSeconds = Math.max(0, ...waits.filter(({ allowed }) => !allowed).map((refused) => refused.waitSeconds));
    if (waitSeconds === 0) return;
    throw commonProblem("rate_limited", {
      message: "Too many attempts to sign in. Wait for the seconds in Retry-After, or use a sign-in link.",
      headers: { "Retry-After": String(waitSeconds) },
    });
  };
}
