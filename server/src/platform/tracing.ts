/**
 * Spans for operators who name a collector (`OTEL_EXPORTER_OTLP_ENDPOINT`). What happens to a record is one trace, and
 * the trace's id is the record's own: every process knows it without being told, and nothing has to be stored. So a
 * request, the work that follows it, the calls to rails and the webhooks meet in one picture, in order of time; none of
 * them is another's parent. Where nobody named a collector this file does nothing, and the SDK is not even loaded.
 */
export interface SpanSubject {
  /** A record's UUID; null, or anything else, makes a trace of its own. */
  readonly recordId: string | null;
  readonly environmentId: string | null;
}

/** Identifiers, numbers and words of our own. Never bodies, names, numbers of accounts, addresses or secrets. */
export type SpanFacts = Readonly<Record<string, string | number | boolean | undefined>>;

export interface OpenSpan {
  /** `failed` is what went wrong, as a word or an error: only its kind is told, because its message may tell more. */
  end(facts?: SpanFacts, failed?: unknown): void;
}

export interface SpanStart extends SpanSubject {
  readonly name: string;
  readonly kind: "server" | "client" | "internal";
  readonly facts?: SpanFacts;
  /** When it began, if that was before now. */
  readonly startMs?: number;
  /** The caller's own span, as the header `traceparent` has it. */
  readonly caller?: string | undefined;
}

export interface Tracing {
  begin(start: SpanStart): OpenSpan;
  /** Sends what is left. */
  stop(): Promise<void>;
}

let current: Tracing | undefined;

export function traceWith(tracing: Tracing | undefined): void {
  current = tracing;
}

/** Undefined while nobody traces: what `tracing()?.begin({ … })` would be told is then not even made. */
export function tracing(): Tracing | undefined {
  return current;
}
