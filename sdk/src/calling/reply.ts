/** Reads replies of both families into one shape. */
import { errorOf, type FieldError, type JaraApiError } from "../errors.ts";
import { camelKeys, isRecord, toCamel } from "../wire/casing.ts";
import type { FetchReply } from "./fetching.ts";
import { unreadableCode } from "./retrying.ts";

export interface Received {
  readonly status: number;
  readonly headers: FetchReply["headers"];
  readonly text: string;
}

/** What is known of a reply besides its data. */
export interface ReplyInfo {
  /** `POST /transfers`. */
  readonly operation: string;
  readonly status: number;
  readonly requestId: string | null;
  readonly idempotencyKey: string | null;
  /** This was done before; here is what came of it. */
  readonly replayed: boolean;
  /** In a sandbox: what Jara noticed about the request, such as a field that it does not know. */
  readonly warning: string | null;
  /** How often the request was sent. */
  readonly attempts: number;
}

/** The body as an object, or undefined when it is not JSON of ours. */
export function parseBody({ text }: Received): Record<string, unknown> | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return isRecord(body) && "status" in body ? body : undefined;
  } catch {
    return undefined;
  }
}

export function refusalOf(operation: string, idempotencyKey: string | null, received: Received): JaraApiError {
  const { status, headers } = received;
  const body = parseBody(received);
  const code = body?.["code"];
  const isOurs = typeof code === "string";
  const message = body?.["message"];
  return errorOf({
    operation,
    status,
    code: isOurs ? code : unreadableCode,
    message: typeof message === "string" ? message : notOurs(received),
    fields: fieldsOf(body?.["errors"]),
    data: dataOf(body?.["data"]),
    requestId: requestIdOf(received, body),
    docsUrl: helpOf(headers.get("link")),
    retryAfterSeconds: secondsOf(headers.get("retry-after")),
    idempotencyKey,
  });
}

export function notOurs({ status, headers }: Received): string {
  const type = headers.get("content-type") ?? "no content type";
  return `The reply is not Jara's: status ${status}, ${type}. Check baseUrl and what stands between.`;
}

function requestIdOf({ headers }: Received, body: Record<string, unknown> | undefined): string | null {
  const id = body?.["requestId"] ?? body?.["request_id"];
  return typeof id === "string" ? id : headers.get("x-request-id");
}

/** Of several links the one that helps. */
function helpOf(link: string | null): string | null {
  return /<([^>]*)>\s*;\s*rel="?help"?/.exec(link ?? "")?.[1] ?? null;
}

/** Fields are named as the caller wrote them. */
function fieldsOf(errors: unknown): FieldError[] {
  if (!Array.isArray(errors)) return [];
  return errors
    .filter(isRecord)
    .map(({ field, message }) => ({ field: toCamel(String(field)), message: String(message) }));
}

function dataOf(data: unknown): Record<string, unknown> | null {
  const camel = camelKeys(data);
  if (!isRecord(camel)) return null;
  const { fields } = camel;
  return Array.isArray(fields) ? { ...camel, fields: fields.map((field) => toCamel(String(field))) } : camel;
}

/**
 * Retry-After is seconds, or a date when a proxy wrote it. Only the form that HTTP gives a date is read: JavaScript
 * takes "1,5" for the fifth of a January long ago, and nobody would wait.
 */
function secondsOf(value: string | null): number | null {
  const text = value?.trim() ?? "";
  if (/^-?\d+(\.\d+)?$/.test(text)) return Math.max(0, Number(text));
  const moment = /^[A-Z][a-z]{2,8}, .* \d\d:\d\d:\d\d GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? null : Math.max(0, Math.ceil((moment - Date.now()) / 1_000));
}

export function infoOf(
  operation: string,
  idempotencyKey: string | null,
  attempts: number,
  received: Received,
): ReplyInfo {
  const { status, headers } = received;
  return {
    operation,
    status,
    requestId: headers.get("x-request-id"),
    idempotencyKey,
    replayed: headers.get("idempotent-replayed") === "true",
    warning: headers.get("jara-warning"),
    attempts,
  };
}
