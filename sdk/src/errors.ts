/**
 * Everything that the SDK throws. A program decides by class and `code`, a person reads `message`. No error ever holds
 * the secret key: not in a message, not in a property, not in a cause.
 *
 *   JaraError
 *   ├─ JaraInputError          refused before anything was sent
 *   ├─ JaraConnectionError     no reply that can be read; of a POST the outcome is unknown
 *   ├─ JaraTimeoutError        the same, because the time was up
 *   ├─ WebhookSignatureError   what arrived is not proved to come from Jara
 *   └─ JaraApiError            Jara refused: status, code, fields, data, requestId
 *      ├─ AuthenticationError  401, 403        ├─ ConflictError            409
 *      ├─ NotFoundError        404             ├─ InsufficientFundsError   422 insufficient_funds
 *      ├─ ValidationError      400, 413, 422   ├─ RateLimitError           429
 *      └─ UnavailableError     5xx
 */
import type { ErrorCode, ErrorData } from "./api.gen.ts";

export class JaraError extends Error {
  override readonly name: string = "JaraError";
}

/** The call was refused before anything was sent: nothing has happened. */
export class JaraInputError extends JaraError {
  override readonly name = "JaraInputError";
}

export interface UnknownOutcome {
  /** `POST /transfers`. */
  readonly operation: string;
  /** Send the same call again with this key: it happens once, however often it is sent. */
  readonly idempotencyKey: string | null;
  readonly attempts: number;
  /** Where the call went. */
  readonly origin?: string;
  /** Why each try without a reply had none, the last one last. */
  readonly causes?: readonly unknown[];
}

export class JaraConnectionError extends JaraError {
  override readonly name: string = "JaraConnectionError";
  readonly operation: string;
  readonly idempotencyKey: string | null;
  readonly attempts: number;
  readonly origin: string | null;
  /** Why each try without a reply had none. A call of which one try may have arrived may have happened. */
  readonly causes: readonly unknown[];

  constructor(message: string, outcome: UnknownOutcome) {
    const { operation, idempotencyKey, attempts, origin = null, causes = [] } = outcome;
    super(`${message} ${whatToDo(operation, idempotencyKey)}`, causes.length === 0 ? {} : { cause: causes.at(-1) });
    this.origin = origin;
    this.causes = causes;
    this.operation = operation;
    this.idempotencyKey = idempotencyKey;
    this.attempts = attempts;
  }
}

export class JaraTimeoutError extends JaraConnectionError {
  override readonly name = "JaraTimeoutError";
}

function whatToDo(operation: string, idempotencyKey: string | null): string {
  if (operation.startsWith("GET ")) return "Nothing was changed; ask again.";
  const again =
    idempotencyKey === null
      ? "Read the record before you send this again."
      : `Send the same call again with { idempotencyKey: "${idempotencyKey}" }, or read the record by your reference.`;
  return `The outcome of ${operation} is unknown: it may have happened. ${again}`;
}

export type SignatureFault =
  | "headers_missing"
  | "timestamp_outside_tolerance"
  | "no_matching_signature"
  | "not_an_event";

/** Do not act on what arrived: reply 400. */
export class WebhookSignatureError extends JaraError {
  override readonly name = "WebhookSignatureError";
  readonly reason: SignatureFault;

  constructor(reason: SignatureFault, message: string) {
    super(message);
    this.reason = reason;
  }
}

export interface FieldError {
  /** As you wrote it: `transfers[3].accountNumber`. */
  readonly field: string;
  readonly message: string;
}

export interface Refusal {
  readonly operation: string;
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly fields: readonly FieldError[];
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly requestId: string | null;
  readonly docsUrl: string | null;
  readonly retryAfterSeconds: number | null;
  readonly idempotencyKey: string | null;
}

/** What `data` is with a code. */
type DataOf<Code extends ErrorCode> = Code extends keyof ErrorData ? ErrorData[Code] : null;

const mostNamed = 10;

/** A log often shows the message alone: it says which fields to mend. */
function messageOf({ message, fields }: Refusal): string {
  if (fields.length === 0) return message;
  const named = fields.slice(0, mostNamed).map((one) => `${one.field} ${one.message}`);
  const more = fields.length > mostNamed ? [`and ${fields.length - mostNamed} more`] : [];
  return `${message} ${[...named, ...more].join("; ")}.`;
}

export class JaraApiError extends JaraError {
  override readonly name: string = "JaraApiError";
  /** `POST /transfers`. */
  readonly operation: string;
  readonly status: number;
  /** Stable: decide by this, never by the message. `error.is("…")` completes the codes and types `data`. */
  readonly code: ErrorCode | (string & {});
  /** Each bad field; empty when the refusal is about something else. */
  readonly fields: readonly FieldError[];
  /** What you need in order to go on, or null. */
  readonly data: Readonly<Record<string, unknown>> | null;
  /** Give it to the operator of the server: it finds everything about this call. */
  readonly requestId: string | null;
  /** Where the server's documentation says what the code means and what to do. */
  readonly docsUrl: string | null;
  readonly retryAfterSeconds: number | null;
  readonly idempotencyKey: string | null;
  /** The server's own sentence. `message` also names the fields, where some were refused. */
  readonly summary: string;

  constructor(refusal: Refusal) {
    super(messageOf(refusal));
    this.summary = refusal.message;
    this.operation = refusal.operation;
    this.status = refusal.status;
    this.code = refusal.code;
    this.fields = refusal.fields;
    this.data = refusal.data;
    this.requestId = refusal.requestId;
    this.docsUrl = refusal.docsUrl;
    this.retryAfterSeconds = refusal.retryAfterSeconds;
    this.idempotencyKey = refusal.idempotencyKey;
  }

  is<Code extends ErrorCode>(code: Code): this is JaraApiError & { code: Code; data: DataOf<Code> } {
    return this.code === code;
  }
}

/** The key is missing, wrong, revoked or may not do this. */
export class AuthenticationError extends JaraApiError {
  override readonly name = "AuthenticationError";
}

export class NotFoundError extends JaraApiError {
  override readonly name = "NotFoundError";
}

/** The reference or key was used for something else, or the record is in another state. */
export class ConflictError extends JaraApiError {
  override readonly name = "ConflictError";
}

/** Refused by a rule or a schema; `fields` and `message` name each bad field. */
export class ValidationError extends JaraApiError {
  override readonly name: string = "ValidationError";
}

/** Nothing was taken. `data` says the balance, what was needed and what is short. */
export class InsufficientFundsError extends JaraApiError {
  override readonly name = "InsufficientFundsError";
  declare readonly data: ErrorData["insufficient_funds"] & Readonly<Record<string, unknown>>;
}

export class RateLimitError extends JaraApiError {
  override readonly name = "RateLimitError";
}

/** Nothing was changed when the code says so; see `code`. */
export class UnavailableError extends JaraApiError {
  override readonly name = "UnavailableError";
}

export function errorOf(refusal: Refusal): JaraApiError {
  const { status, code } = refusal;
  if (code === "insufficient_funds") return new InsufficientFundsError(refusal);
  if (status === 401 || status === 403) return new AuthenticationError(refusal);
  if (status === 404) return new NotFoundError(refusal);
  if (status === 409) return new ConflictError(refusal);
  if (status === 429) return new RateLimitError(refusal);
  if (status >= 500) return new UnavailableError(refusal);
  if (status === 400 || status === 413 || status === 422) return new ValidationError(refusal);
  return new JaraApiError(refusal);
}
