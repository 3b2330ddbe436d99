/** What the console shows of a request. The fields are those of the public API. */
export interface LoggedRequest {
  readonly id: string;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code: string | null;
  readonly durationMs: number;
  readonly keyPrefix: string | null;
  readonly idempotencyKey: string | null;
  readonly userAgent: string | null;
  readonly warning: string | null;
  readonly replayed: boolean;
  readonly recordId: string | null;
  readonly requestBody: string | null;
  readonly responseBody: string | null;
}

/** A body to look at; what is no JSON, or was cut off, as it came. */
export function readBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

export function toneOfReply(status: number): "good" | "warn" | "bad" {
  if (status < 400) return "good";
  return status < 500 ? "warn" : "bad";
}
