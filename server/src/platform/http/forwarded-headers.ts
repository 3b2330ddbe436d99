import type { FastifyBaseLogger, onRequestHookHandler } from "fastify";

/**
 * Says once that a proxy stands in front of a server that was not told of it. All callers then seem to have the proxy's
 * address: they share the limits for strangers, guessed passwords are counted by account only, and no key's list of
 * addresses can match.
 */
export function warnOfForwarded(log: FastifyBaseLogger): onRequestHookHandler {
  let told = false;
  return ({ headers }, _reply, done) => {
    if (!told && (headers["x-forwarded-for"] ?? headers["forwarded"]) !== undefined) {
      told = true;
      log.warn(
        "A request carries X-Forwarded-For or Forwarded, but TRUST_PROXY is false: every caller seems to have the address of the proxy, so all of them share the limits for sign-in, wrong keys and public files. If a proxy of yours stands in front of this server, set TRUST_PROXY to the number of proxies (such as 1) or to their addresses.",
      );
    }
    done();
  };
}
