/**
 * OpenTelemetry's own SDK and exporter behind `tracing.ts`, loaded only where a collector is named. The exporter and
 * the resource read the standard variables themselves (`OTEL_EXPORTER_OTLP_…`, `OTEL_SERVICE_NAME`,
 * `OTEL_RESOURCE_ATTRIBUTES`).
 */
import {
  type Attributes,
  INVALID_TRACEID,
  type Link,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  RandomIdGenerator,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { OpenSpan, SpanFacts, SpanStart, Tracing } from "./tracing.ts";

export interface TracingOptions {
  readonly version: string;
  /** As `OTEL_TRACES_SAMPLER` names it. */
  readonly sampler: string;
  readonly ratio: number;
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const traceparent = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

export function startTracing({ version, sampler, ratio }: TracingOptions): Tracing {
  const random = new RandomIdGenerator();
  // The SDK asks for the id of a new trace while a span begins, which is one synchronous step.
  let nextTrace: string | undefined;
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ "service.name": "jara", "service.version": version }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: samplerOf(sampler, ratio),
    idGenerator: {
      generateTraceId: () => nextTrace ?? random.generateTraceId(),
      generateSpanId: () => random.generateSpanId(),
    },
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  const tracer = provider.getTracer("jara", version);

  function begin(start: SpanStart): OpenSpan {
    nextTrace = start.recordId !== null && uuid.test(start.recordId) ? start.recordId.replaceAll("-", "") : undefined;
    const options = {
      kind: kinds[start.kind],
      root: true,
      attributes: attributesOf(start),
      links: linksTo(start.caller),
      ...(start.startMs === undefined ? {} : { startTime: start.startMs }),
    };
    const span = tracer.startSpan(start.name, options, ROOT_CONTEXT);
    nextTrace = undefined;
    return {
      end: (facts = {}, failed) => {
        span.setAttributes(facts as Attributes);
        if (failed !== undefined) {
          span.setAttribute("error.type", kindOf(failed));
          span.setStatus({ code: SpanStatusCode.ERROR });
        }
        span.end();
      },
    };
  }

  return { begin, stop: () => provider.shutdown() };
}

function attributesOf({ recordId, environmentId, facts }: SpanStart): Attributes {
  return {
    ...(recordId === null ? {} : { "jara.record_id": recordId }),
    ...(environmentId === null ? {} : { "jara.environment_id": environmentId }),
    ...(facts as SpanFacts),
  };
}

/**
 * A link, not a parent: nobody outside decides what we sample, or writes into the trace of a record by naming its id.
 */
function linksTo(caller: string | undefined): Link[] {
  const [, traceId, spanId, flags] = traceparent.exec(caller ?? "") ?? [];
  if (traceId === undefined || spanId === undefined || traceId === INVALID_TRACEID) return [];
  return [{ context: { traceId, spanId, traceFlags: Number.parseInt(flags ?? "0", 16) & 1, isRemote: true } }];
}

/** No span of ours has a parent, so the samplers that ask the parent first decide as those that do not. */
function samplerOf(name: string, ratio: number): Sampler {
  if (name.endsWith("always_off")) return new AlwaysOffSampler();
  return name.endsWith("traceidratio") ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
}

function kindOf(failed: unknown): string {
  if (typeof failed === "string") return failed;
  if (!(failed instanceof Error)) return "error";
  return "code" in failed && typeof failed.code === "string" ? failed.code : failed.name;
}
