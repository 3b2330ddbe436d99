/**
 * A Problem is a refusal that the caller can act on. Its code comes from a catalogue that the domain keeps
 * beside its rules; the HTTP layer turns it into the error body of the family. Whatever is thrown and is not
 * a Problem is a bug.
 */
import { type TSchema, Type } from "typebox";

export interface ProblemKind {
  readonly status: number;
  /** For a person: what happened, in a sentence. */
  readonly cause: string;
  /** What to do about it, and what holds meanwhile. Where a record is not found, the id or the key is wrong. */
  readonly cure?: string;
  /**
   * What `data` of the error body holds, every time this refusal is given. Without it `data` is null. Paths outside
   * /loans write snake_case names of it in camelCase.
   */
  readonly data?: TSchema;
  /** The reply says in Retry-After when it makes sense to ask again. */
  readonly retryAfter?: true;
}

/** What a person reads. */
export function messageOf({ cause, cure }: Pick<ProblemKind, "cause" | "cure">): string {
  return cure === undefined ? cause : `${cause} ${cure}`;
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
    super(detail.message ?? messageOf(kind), { cause: detail.cause });
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

const DifferingFields = Type.Object({
  fields: Type.Array(Type.String(), {
    description: "The fields whose content differs from the first request.",
    examples: [["amount"]],
  }),
});

const Band = Type.Object({
  min_amount: Type.Number({ examples: [5000] }),
  max_amount: Type.Number({ examples: [200000] }),
  currency: Type.Optional(Type.Literal("NGN")),
});

const PresentState = Type.Union([
  Type.Object({
    status: Type.String({ description: "The state that the record is in.", examples: ["completed"] }),
    loan_id: Type.Optional(
      Type.Unsafe<string | null>({ type: ["string", "null"], description: "Of a checkout session: its loan." }),
    ),
  }),
  Type.Null(),
]);

const RejectedItems = Type.Union([
  Type.Null(),
  Type.Object(
    {
      rejectedCount: Type.Integer({ examples: [1] }),
      rejected: Type.Array(
        Type.Object({
          index: Type.Integer({ description: "From 0.", examples: [3] }),
          reference: Type.String({ examples: ["payroll-4"] }),
          code: Type.String({ examples: ["validation_failed"] }),
          message: Type.String({ examples: ["amount must be a number"] }),
        }),
      ),
    },
    { description: "Where a list of items was sent: those that were refused, the first hundred of them." },
  ),
]);

/** Refusals that any endpoint can give, whatever it is about. */
export const commonProblems = {
  invalid_json: {
    status: 400,
    cause: "The body is not valid JSON.",
    cure: "Check for a missing quote, comma or brace.",
  },
  invalid_request: {
    status: 400,
    cause: "The request could not be read.",
    cure: "Check its headers, path and encoding.",
  },
  not_found: { status: 404, cause: "Nothing is here.", cure: "Check the path and the id." },
  method_not_allowed: {
    status: 405,
    cause: "This path does not take this method.",
    cure: "The Allow header lists those it does.",
  },
  not_acceptable: {
    status: 406,
    cause: "This path cannot reply in the media type that Accept asks for.",
    cure: "Ask for application/json.",
  },
  body_too_large: {
    status: 413,
    cause: "The body is too large, nested too deeply, or has too many values.",
    cure: "Send less in one request.",
  },
  unsupported_media_type: {
    status: 415,
    cause: "The body is not marked as JSON.",
    cure: "Send the body as JSON with Content-Type: application/json.",
  },
  validation_failed: {
    status: 422,
    cause: "Some fields are missing or wrong.",
    cure: "Each is named in errors.",
    data: RejectedItems,
  },
  reference_conflict: {
    status: 409,
    cause: "This reference was used before with other content.",
    cure: "data.fields names what differs.",
    data: DifferingFields,
  },
  version_conflict: {
    status: 409,
    cause:
      "The next version is another one: a colleague has published in between, or this number was used with other content.",
    cure: "Read the versions again; data.latestVersion is the newest.",
    data: Type.Object({ latestVersion: Type.Integer({ examples: [3] }) }),
  },
  large_change: {
    status: 422,
    cause: "Figures would become ten times what they are, or a tenth; data.fields names them.",
    cure: "Check for a slip in naira and kobo. If they are meant, send confirmLargeChanges: true.",
    data: Type.Object({ fields: Type.Array(Type.String(), { examples: [["maxAmount"]] }) }),
  },
  amount_out_of_band: {
    status: 422,
    cause: "The amount is outside what is offered here.",
    cure: "data names the bounds.",
    data: Band,
  },
  invalid_state: {
    status: 409,
    cause: "The record is in a state that does not allow this.",
    cure: "Read the record: its status says what is possible now.",
    data: PresentState,
  },
  idempotency_key_conflict: {
    status: 409,
    cause: "This Idempotency-Key was used before for another request.",
    cure: "Use a new key.",
  },
  idempotency_key_in_use: {
    status: 409,
    cause: "A request with this Idempotency-Key is still running.",
    cure: "Retry shortly.",
    retryAfter: true,
  },
  rate_limited: {
    status: 429,
    cause: "Too many requests.",
    cure: "Wait for the seconds in Retry-After.",
    retryAfter: true,
  },
  environment_busy: {
    status: 429,
    cause: "Too many requests are waiting in this environment.",
    cure: "Nothing was changed; retry after the seconds in Retry-After.",
    retryAfter: true,
  },
  internal: {
    status: 500,
    cause: "Something went wrong on our side.",
    cure: "Quote the request id when you write to us.",
  },
  environment_not_found: { status: 404, cause: "No environment has this id." },
  unavailable: {
    status: 503,
    cause: "The service is briefly unavailable.",
    cure: "Nothing was changed; retry after the seconds in Retry-After.",
    retryAfter: true,
  },
} as const satisfies ProblemCatalogue;

export const commonProblem = problemsFrom(commonProblems);
