/** The first step of every request: the headers of every answer, and what can be refused before anything is read. */
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from "fastify";
import { commonProblem } from "../problem.ts";
import { type KnownPaths, pathOf } from "./known-paths.ts";
import { allowReading } from "./other-origins.ts";
import { setCommonHeaders } from "./replies.ts";
import { allowOf, methodNotAllowed, nothingHere } from "./routing-miss.ts";

const oneYear = "max-age=31536000; includeSubDomains";

export function startRequest(known: KnownPaths, httpsOnly: boolean): onRequestHookHandler {
  return (request, reply, done) => {
    setCommonHeaders(reply, request.id);
    if (httpsOnly) reply.header("strict-transport-security", oneYear);
    const raw = request.raw;
    const hosts = hostsOf(raw.rawHeaders);
    if (hosts === 0 && raw.httpVersionMinor === 1) {
      done(commonProblem("invalid_request", { message: "HTTP/1.1 requests need a Host header." }));
    } else if (hosts > 1) {
      // A proxy may have believed the other one.
      done(commonProblem("invalid_request", { message: "Send one Host header, not several." }));
    } else if (request.is404) {
      refuseUnmatched(known, request, reply, done);
    } else {
      done();
    }
  };
}

/** Names and values alternate; Node's parsed headers keep only the first Host. */
function hostsOf(rawHeaders: readonly string[]): number {
  return rawHeaders.filter((name, index) => index % 2 === 0 && name.length === 4 && /^host$/i.test(name)).length;
}

/** Refused here and not in a not-found handler, which would read and judge the body first. */
function refuseUnmatched(
  known: KnownPaths,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  const methods = known.methodsOf(pathOf(request.url));
  if (methods.length === 0 || isTypo(known, request)) done(nothingHere(known, request));
  else if (request.method !== "OPTIONS") done(methodNotAllowed(methods));
  else {
    // No other CORS headers: a secret key has no business in a browser.
    if (known.isShared(pathOf(request.url))) allowReading(reply);
    reply.header("allow", allowOf(methods)).code(204).send();
  }
}

/** The router would take /loans/created for a loan, which cannot be posted to; /loans/create can, so that was meant. */
function isTypo(known: KnownPaths, { url, method }: FastifyRequest): boolean {
  const meant = known.meant(pathOf(url));
  return meant !== undefined && known.methodsOf(meant).includes(method);
}
