/**
 * A Problem is a refusal that the caller can act on. Its code comes from a catalogue that the domain keeps
 * beside its rules; the HTTP layer turns it into the error body of the family. Whatever is thrown and is not
 * a Problem is a bug.
 */
export interface ProblemKind {
  readonly status: number;
  /** For a person: what happened and what to do next. */
  readonly message: string;
}

export type ProblemCatalogue = Readonly<Record<string, ProblemKind>>;

export interface FieldError {
  readonly field: string;
  readonly message: string;
}

export interface ProblemDetail {
  /** Replaces the catalogue's sentence where the caller is helped by figures. */
  readonly message?: string;
  readonly errors?: readonly FieldError[];
  /** What the caller needs to go on: attempts left, the band, the fields that differ. */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

export class Problem extends Error {
  readonly code: string;
  readonly status: number;
  readonly errors: readonly FieldError[];
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: string, kind: ProblemKind, detail: ProblemDetail = {}) {
    super(detail.message ?? kind.message, { cause: detail.cause });
    this.name = "Problem";
    this.code = code;
    this.status = kind.status;
    this.errors = detail.errors ?? [];
    this.data = detail.data ?? null;
    this.headers = detail.headers ?? {};
  }
}

/** Gives a domain its own thrower: `throw transferProblem("transfer_not_found")`. */
export function problemsFrom<C extends ProblemCatalogue>(catalogue: C) {
  return (code: keyof C & string, detail?: ProblemDetail): Problem => {
    const kind = catalogue[code];
    if (kind === undefined) throw new Error(`no such problem: ${code}`);
    return new Problem(code, kind, detail);
  };
}

/** Refusals that any endpoint can give, whatever it is about. */
export const commonProblems = {
  invalid_json: { status: 400, message: "The body is not valid JSON. Check for a missing quote, comma or brace." },
  invalid_request: { status: 400, message: "The request could not be read. Check its headers, path and encoding." },
  not_found: { status: 404, message: "Nothing is here. Check the path and the id." },
  method_not_allowed: {
    status: 405,
    message: "This path does not take this method. The Allow header lists those it does.",
  },
  not_acceptable: { status: 406, message: "This path cannot answer in the media type that Accept asks for." },
  body_too_large: { status: 413, message: "The body is too large. Send less in one request." },
  unsupported_media_type: { status: 415, message: "Send the body as JSON with Content-Type: application/json." },
  validation_failed: { status: 422, message: "Some fields are missing or wrong. Each is named in errors." },
  reference_conflict: {
    status: 409,
    message: "This reference was used before with other content. data.fields names what differs.",
  },
  amount_out_of_band: { status: 422, message: "The amount is outside what is offered here. data names the bounds." },
  invalid_state: { status: 409, message: "The record is in a state that does not allow this." },
  idempotency_key_conflict: {
    status: 409,
    message: "This Idempotency-Key was used before for another request. Use a new key.",
  },
  idempotency_key_in_use: {
    status: 409,
    message: "A request with this Idempotency-Key is still running. Retry shortly.",
  },
  rate_limited: { status: 429, message: "Too many requests. Wait for the seconds in Retry-After." },
  environment_busy: {
    status: 429,
    message: "Too much waits in this environment. Nothing was changed; retry after the seconds in Retry-After.",
  },
  internal: { status: 500, message: "Something went wrong on our side. Quote the request id when you write to us." },
  unavailable: {
    status: 503,
    message: "The service is briefly unavailable. Nothing was changed; retry after the seconds in Retry-After.",
  },
} as const satisfies ProblemCatalogue;

export const commonProblem = problemsFrom(commonProblems);
