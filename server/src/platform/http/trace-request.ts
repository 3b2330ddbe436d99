/** A request as a span, made when its reply is sent: until then nothing is known of the record that it makes. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Tracing } from "../tracing.ts";
import { recordOf, routeOf } from "./answered-request.ts";

export function traceRequest(tracing: Tracing, request: FastifyRequest, reply: FastifyReply): void {
  const { method, replied, caller } = request;
  const { statusCode: status } = reply;
  const route = routeOf(request.routeOptions.url ?? "");
  const { traceparent } = request.headers;
  const span = tracing.begin({
    name: route === "" ? method : `${method} ${route}`,
    kind: "server",
    recordId: recordOf({ method, status, responseBody: replied?.body ?? null }),
    environmentId: caller?.environmentId ?? null,
    startMs: Date.now() - reply.elapsedTime,
    caller: typeof traceparent === "string" ? traceparent : undefined,
    facts: {
      "http.request.method": method,
      "http.route": route,
      "http.response.status_code": status,
      "jara.request_id": request.id,
    },
  });
  span.end({}, status >= 500 ? (replied?.code ?? String(status)) : undefined);
}
