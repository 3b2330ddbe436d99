/**
 * Writes requests down off their path: a request leaves a line in memory after its reply is sent, and one statement for
 * all of them follows a tenth of a second later. Nothing waits for it. What does not fit is dropped and counted, and
 * bodies are kept only while there are few: a person at a terminal sees all of them, a load test pays for none.
 */
import type { Database } from "../platform/database/database.ts";
import { type AnsweredRequest, recordOf } from "../platform/http/answered-request.ts";
import type { GaugeSource } from "../platform/metrics.ts";
import { maskBody, maskText, maskUrl } from "./mask.ts";
import { type NewLine, writeRequests } from "./request-store.ts";

export interface RequestLog {
  note(request: AnsweredRequest): void;
  /** How many were not written down, because they were too many or the database was away. */
  dropped(): number;
  /** Writes what is there. */
  close(): Promise<void>;
}

export interface RequestLogOptions {
  readonly db: Database;
  onError(error: unknown): void;
  readonly everyMs?: number;
  readonly mostWaiting?: number;
}

/** Of one moment. To mask a body costs more than everything else here. */
const mostBodies = 20;
const mostTextLength = 500;

/** Waiting for the log is not in the log: a reader's own question would be the next line, and wake the reader again. */
export const feedPath = "/requests/feed";

export function createRequestLog(options: RequestLogOptions): RequestLog {
  const { db, onError, everyMs = 100, mostWaiting = 2_000 } = options;
  let waiting: NewLine[] = [];
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let written = Promise.resolve();

  const writeAll = async (): Promise<void> => {
    const lines = waiting;
    waiting = [];
    if (lines.length === 0) return;
    try {
      await writeRequests(db, lines);
    } catch (error) {
      dropped += lines.length;
      onError(error);
    }
  };
  /** One write after the other: while the database is slow, lines collect, and the bound holds. */
  const flush = (): Promise<void> => {
    timer = undefined;
    written = written.then(writeAll);
    return written;
  };
  return {
    note(request) {
      if (request.route === feedPath) return;
      if (waiting.length >= mostWaiting) {
        dropped += 1;
        return;
      }
      waiting.push(lineOf(request, waiting.length < mostBodies));
      timer ??= setTimeout(flush, everyMs).unref();
    },
    dropped: () => dropped,
    close() {
      clearTimeout(timer);
      return flush();
    },
  };
}

function lineOf(request: AnsweredRequest, fewWait: boolean): NewLine {
  const { caller, at, requestId, method, route, status, code, durationMs, replayed } = request;
  return {
    environmentId: caller.environmentId,
    at: at.toISOString(),
    requestId,
    method,
    route,
    path: maskUrl(request.url).slice(0, mostTextLength),
    status,
    code,
    durationMs,
    keyId: caller.holderId,
    idempotencyKey: maskHeader(request.idempotencyKey),
    userAgent: maskHeader(request.userAgent),
    warning: maskHeader(request.warning),
    replayed,
    recordId: recordOf(request),
    ...(fewWait && caller.kind === "SANDBOX" ? bodiesOf(request) : { requestBody: null, responseBody: null }),
  };
}

function maskHeader(value: string | null): string | null {
  return value === null ? null : maskText(value).slice(0, mostTextLength);
}

function bodiesOf({ requestBody, responseBody }: AnsweredRequest): Pick<NewLine, "requestBody" | "responseBody"> {
  return {
    requestBody: requestBody === null ? null : maskBody(requestBody.toString()),
    responseBody: responseBody === null ? null : maskBody(responseBody),
  };
}

export function droppedGauge(dropped: () => number): GaugeSource {
  return {
    name: "jara_request_log_dropped",
    help: "Requests since the start that the log of requests did not keep up with.",
    labelNames: [],
    read: () => [{ labels: {}, value: dropped() }],
  };
}
