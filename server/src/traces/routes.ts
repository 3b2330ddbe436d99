import { type Static, Type } from "typebox";
import { visitEnvironment } from "../platform/database/database.ts";
import { named } from "../platform/http/named-schema.ts";
import { describeRoute, type Route } from "../platform/http/route.ts";
import { Id, OneOf, Timestamp } from "../platform/http/wire.ts";
import { commonProblem } from "../platform/problem.ts";
import { onlyOf } from "../platform/records/only-place.ts";
import { stepKinds, type TraceSource } from "../platform/records/trace.ts";
import { findPlaces, readTrace, type Trace } from "./read-trace.ts";

const traceStepData = named(
  "TraceStep",
  Type.Object({
    at: Type.String({ ...Timestamp, description: "In the environment's time." }),
    kind: OneOf(stepKinds, { examples: ["posting"] }),
    title: Type.String({ examples: ["Money moved: transfer.held"] }),
    detail: Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: "object",
      additionalProperties: true,
      description: "What the stored row says, without secrets; personal numbers show their last four digits.",
      examples: [{ posting: "transfer.held" }],
    }),
    ids: Type.Unsafe<Readonly<Record<string, string>>>({
      type: "object",
      additionalProperties: { type: "string" },
      description: "What to look at next, by what it is.",
      examples: [{ transaction: "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11" }],
    }),
    ok: Type.Boolean({ description: "False for a refusal, a failure and a try that did not get through." }),
  }),
);

const traceFields = {
  id: Type.String({ description: "As you asked.", examples: ["01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11"] }),
  kind: Type.String({ description: "What has this id.", examples: ["transfer"] }),
  steps: Type.Array(traceStepData, { description: "Oldest first." }),
};

const traceData = named("Trace", Type.Object(traceFields));

function presentTrace({ id, kind, steps }: Trace): Static<typeof traceData> {
  return {
    id,
    kind,
    steps: steps.map((step) => ({
      at: step.at.toISOString(),
      kind: step.kind,
      title: step.title,
      detail: step.detail,
      ids: step.ids,
      ok: step.ok,
    })),
  };
}

/** Ids of ours are UUIDs; requests are called as the X-Request-Id of their reply says. */
const traceParams = (description: string) =>
  Type.Object({
    id: Type.String({
      pattern: "^[\\w.:-]{1,128}$",
      description,
      examples: ["01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11"],
    }),
  });

export interface TraceRouteDependencies {
  /** What all slices know. */
  readonly traces: readonly TraceSource[];
}

const reply = { status: 200, message: "Trace retrieved", data: traceData } as const;

export function traceRoutes({ traces }: TraceRouteDependencies): Route[] {
  return [merchantRoute(traces), operatorsRoute(traces)];
}

function merchantRoute(sources: readonly TraceSource[]): Route {
  return describeRoute("key", {
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
  return describeRoute("operator", {
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
