/**
 * The standard variables of OpenTelemetry that decide whether there are traces, and of what. The exporter and the
 * resource read the others themselves (headers, time limit, compression, certificates, the service's name).
 */
import Type, { type Static } from "typebox";
import { oneOf } from "./variable-kinds.ts";

const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

const collector = { pattern: "^https?://.+", expects: "the http or https address of a collector" };

export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(Type.String(collector)),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: Type.Optional(Type.String(collector)),
  OTEL_SDK_DISABLED: Type.Boolean({ default: false, expects: "true or false" }),
  OTEL_TRACES_SAMPLER: oneOf(samplers, "parentbased_always_on"),
  OTEL_TRACES_SAMPLER_ARG: Type.String({
    pattern: "^(0(\\.[0-9]+)?|1(\\.0+)?)$",
    default: "1",
    expects: "a share from 0 to 1",
  }),
};

type TracingValues = Static<ReturnType<typeof Type.Object<typeof tracingVariables>>>;

/** Where a collector is named: which traces it is sent. */
export interface TracingSettings {
  readonly sampler: (typeof samplers)[number];
  readonly ratio: number;
}

export function tracingOf(values: TracingValues): { readonly tracing?: TracingSettings } {
  const endpoint = values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? values.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined || values.OTEL_SDK_DISABLED) return {};
  return { tracing: { sampler: values.OTEL_TRACES_SAMPLER, ratio: Number(values.OTEL_TRACES_SAMPLER_ARG) } };
}
