/**
 * What a page of another site may read from its visitor's browser. A secret key has no business in a browser, so this
 * is nothing but the state of a checkout, for a caller who has its token. No cookie takes part: the token is the whole
 * permission, and a site that has it could ask from its server as well.
 */
import type { FastifyReply, onRequestHookHandler } from "fastify";
import type { Route } from "../route.ts";

export const isReadFromAnySite = (route: Route): boolean => route.guard === "page" && route.readFromAnySite === true;

const anyOrigin = ["access-control-allow-origin", "*"] as const;

export const letOthersRead: onRequestHookHandler = (_, reply, done) => {
  reply.header(...anyOrigin).header("access-control-expose-headers", "Retry-After, X-Request-Id");
  done();
};

/** A browser asks before it sends a header of the page's own. */
export function allowReading(reply: FastifyReply): FastifyReply {
  return reply
    .header(...anyOrigin)
    .header("access-control-allow-methods", "GET")
    .header("access-control-allow-headers", "Authorization, User-Agent")
    .header("access-control-max-age", "86400");
}
