import { type Static, Type } from "typebox";
import { named } from "../platform/http/named-schema.ts";
import { OneOf, Timestamp } from "../platform/http/wire.ts";
import { stepKinds } from "../platform/records/trace.ts";
import type { Trace } from "./read-trace.ts";

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

export const traceData = named("Trace", Type.Object(traceFields));

export function presentTrace({ id, kind, steps }: Trace): Static<typeof traceData> {
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
export const traceParams = (description: string) =>
  Type.Object({
    id: Type.String({
      pattern: "^[\\w.:-]{1,128}$",
      description,
      examples: ["01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11"],
    }),
  });
