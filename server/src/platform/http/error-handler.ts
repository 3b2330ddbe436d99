import type { FastifyReply, FastifyRequest } from "fastify";
import { isUuid } from "../database/ids.ts";
import { environmentOf } from "./caller.ts";
import { familyOfUrl } from "./known-paths.ts";
import { sendProblem, setCommonHeaders } from "./replies.ts";
import { translateError } from "./translate-error.ts";

/** The record that the path names, if it names one. */
function recordIn(params: unknown): string | undefined {
  const { id } = (params ?? {}) as { readonly id?: unknown };
  return typeof id === "string" && isUuid(id) ? id : undefined;
}

/** The one place where a throw becomes an answer. Bugs and outages are logged with their cause; refusals are not. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const problem = translateError(error);
  if (problem.status >= 500) {
    const context = {
      err: problem.cause ?? problem,
      requestId: request.id,
      environmentId: environmentOf(request),
      recordId: recordIn(request.params),
      method: request.method,
      code: problem.code,
    };
    const route = request.routeOptions?.url ?? `unmatched (${familyOfUrl(request.url)})`;
    if (problem.code === "internal") request.log.error({ ...context, route }, "a request failed by a bug");
    else request.log.warn({ ...context, route }, "a request could not be served");
  }
  // Errors of the router come before any hook has run.
  setCommonHeaders(reply, request.id);
  sendProblem(reply, problem);
}
