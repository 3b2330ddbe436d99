import { Type } from "typebox";
import { visitEnvironment } from "../platform/database/database.ts";
import { keyRoute, operatorRoute, type Route } from "../platform/http/route.ts";
import { Id } from "../platform/http/wire.ts";
import { commonProblem } from "../platform/problem.ts";
import { onlyOf } from "../platform/records/only-place.ts";
import type { TraceSource } from "../platform/records/trace.ts";
import { findPlaces, readTrace } from "./read-trace.ts";
import { presentTrace, traceData, traceParams } from "./schemas.ts";

export interface TraceRouteDependencies {
  /** What all slices know. */
  readonly traces: readonly TraceSource[];
}

const reply = { status: 200, message: "Trace retrieved", data: traceData } as const;

export function traceRoutes({ traces }: TraceRouteDependencies): Route[] {
  return [merchantRoute(traces), operatorsRoute(traces)];
}

function merchantRoute(sources: readonly TraceSource[]): Route {
  return keyRoute({
    method: "GET",
    path: "/traces/{id}",
    operationId: "getTrace",
    tag: "Traces",
    summary: "Trace a record",
    description:
      "Where the money is, and why: everything that is stored about a record, in its order. Any id of the same story gives the same steps.",
    scope: "traces:read",
    params: traceParams(
      "Any id of ours: of a payout, a batch, a bill, a loan, a charge, an event, a ledger transaction, a request.",
    ),
    reply,
    problems: ["not_found"],
    handle: ({ params: { id }, read }) =>
      read(async (tx) => {
        const trace = await readTrace(tx, sources, { id, audience: "merchant" });
        if (trace === undefined) throw commonProblem("not_found");
        return { data: presentTrace(trace) };
      }),
  });
}

function operatorsRoute(sources: readonly TraceSource[]): Route {
  return operatorRoute({
    method: "GET",
    path: "/operator/traces/{id}",
    operationId: "getOperatorTrace",
    tag: "Operator",
    summary: "Trace a record of any environment",
    description: "As its merchant sees it, with where it is at the provider and what operators wrote down.",
    params: traceParams("Any id of any environment."),
    reply,
    query: Type.Object({
      environmentId: Type.Optional(Id("Only in this environment, for ids that several sandboxes share.")),
    }),
    problems: ["not_found", "invalid_state"],
    handle: ({ params: { id }, query: { environmentId }, read }) =>
      read(async (tx) => {
        const places = await findPlaces(tx, sources, id);
        const place = onlyOf(places.filter((found) => environmentId === undefined || found === environmentId));
        if (place === undefined) throw commonProblem("not_found");
        const trace = await visitEnvironment(tx, place, (inside) =>
          readTrace(inside, sources, { id, audience: "operator" }),
        );
        if (trace === undefined) throw commonProblem("not_found");
        return { data: presentTrace(trace) };
      }),
  });
}
