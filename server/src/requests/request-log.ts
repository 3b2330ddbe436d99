/**
 * Writes requests down off their path: a request leaves a line in memory after its reply is sent, and at most ten times
 * a second one statement writes all lines that have gathered. Nothing waits for it. What does not fit is dropped and
 * counted, and bodies are kept only while there are few: a person at a terminal sees all of them, a load test pays for
 * none.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "../platform/database/database.ts";
import { isUuid } from "../platform/database/ids.ts";
import { type AnsweredRequest, recordOf } from "../platform/http/reply/answered-request.ts";
import type { GaugeSource } from "../platform/metrics.ts";
import { isSensitiveName, maskDigits, redacted, redactText } from "../platform/redact.ts";
import { createBatches } from "../platform/work/batches.ts";
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
  let [waiting, dropped] = [0, 0];
  // One write after the other: while the database is slow, lines gather, and the bound holds.
  const batches = createBatches<NewLine, true>({
    slots: 1,
    atOnce: 1,
    batchSize: mostWaiting,
    rest: () => pause(everyMs, undefined, { ref: false }),
    async serve(_, lines) {
      waiting = 0;
      try {
        await writeRequests(db, lines);
      } catch (error) {
        dropped += lines.length;
        onError(error);
      }
      return lines.map(() => true);
    },
  });
  return {
    note(request) {
      if (request.route === feedPath) return;
      if (waiting >= mostWaiting) {
        dropped += 1;
        return;
      }
      waiting += 1;
      void batches.submit("all", lineOf(request, waiting <= mostBodies));
    },
    dropped: () => dropped,
    close: batches.drain,
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

/**
 * Bodies and addresses as the log keeps them. Three nets: a field whose name says that it is secret or personal is
 * masked at any depth and of any type; every text is searched for keys, cards and personal numbers, as the server's own
 * log is; and no number of nine digits or more stays whole, wherever it stands. Account numbers have ten, and people
 * write them into narrations.
 */

/** What is longer is cut. */
const mostKept = 4_096;
/** What is longer is not even read: a mask costs time for every byte. */
const mostRead = 32_768;

/** The last four digits stay, so that a developer recognises what was sent. */
const numbers =
  /^(?:.*phone.*|.*account_?n(?:o|umber)|.*meter_?number|.*card_?number|customer(?:_?id)?|identifier|to)$/i;
const personal = /^(?:.*email|(?:first|last|account|customer|sender|expected)_?name|date_?of_?birth|.*address)$/i;
const places = /^l(?:ong|at)itude$/i;
/** Codes that customers are sent: in fields of this name, and in messages. */
const codes = /^(?:.*code|text|message)$/i;
const codeDigits = /(?<![\d.,-])\d{4,8}(?![\d,-]|\.\d)/g;

/** Text that is not JSON is not kept: nobody knows which part of it is whose. */
export function maskBody(text: string): string | null {
  if (text.length > mostRead) return null;
  try {
    return JSON.stringify(maskValue("", JSON.parse(text))).slice(0, mostKept);
  } catch {
    return null;
  }
}

/** A query has named fields, too. */
export function maskUrl(url: string): string {
  const [path = "", query] = url.split("?", 2);
  if (query === undefined) return maskText(path);
  const fields = [...new URLSearchParams(query)].map(([name, value]) => `${maskText(name)}=${maskField(name, value)}`);
  return `${maskText(path)}?${fields.join("&")}`;
}

/** Ids and days are passed over. */
const longNumbers = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\d(?![\d-])|\d(?:[ -]?\d){8,}/gi;
/** An address may open a customer's page; where it leads is enough to recognise it. */
const addresses = /\b(https?:\/\/[^\s/?#"'\\]+)[/?#][^\s"'\\]+/gi;

export function maskText(text: string): string {
  return redactText(text)
    .replace(addresses, "$1/…")
    .replace(longNumbers, (found) => (/[a-f]/i.test(found) || isPassedOver(found) ? found : maskDigits(found)));
}

function isPassedOver(found: string): boolean {
  return isUuid(found) || /^\d{4}-\d\d-\d\d$/.test(found);
}

function maskValue(name: string, value: unknown): unknown {
  if (value === null || typeof value === "boolean") return value;
  if (isSensitiveName(name)) return redacted;
  if (Array.isArray(value)) return value.map((one) => maskValue(name, one));
  if (typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([inner, one]) => [maskText(inner), maskValue(inner, one)]));
  }
  const masked = maskField(name, String(value));
  return masked === String(value) ? value : masked;
}

function maskField(name: string, value: string): string {
  if (isUuid(value)) return value;
  if (isSensitiveName(name)) return redacted;
  if (personal.test(name)) return `${value.slice(0, 1)}***`;
  if (places.test(name)) return redacted;
  if (numbers.test(name) && /\d{5}/.test(value)) return maskDigits(value);
  const masked = maskText(value);
  return codes.test(name) ? masked.replace(codeDigits, redacted) : masked;
}
