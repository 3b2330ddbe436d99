/** Speaks to the server that the page came from. A refusal is thrown as an `ApiProblem`, whatever its origin. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly errors: readonly FieldProblem[];
  readonly data: Readonly<Record<string, unknown>>;
  /** By which the server's log finds what happened. */
  readonly requestId?: string | undefined;
  /** From the Retry-After header. */
  readonly waitSeconds: number | null;
}

export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }

  get code(): string {
    return this.refusal.code;
  }

  /** The token is unknown, or its page was closed: there is nothing to be shown, now or later. */
  get opensNothing(): boolean {
    return this.refusal.status === 401 || this.refusal.status === 404;
  }
}

export interface ApiRequest {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Sends the cookies of this server along; a hosted page has none. */
  readonly cookies?: boolean;
}

const patienceMs = 20_000;

export async function callApi<Data>(path: string, request: ApiRequest = {}): Promise<Data> {
  const reply = await callForReply(path, request);
  return reply["data"] as Data;
}

/** The whole envelope, for what stands beside `data`: pages of a list. */
export async function callForReply(path: string, request: ApiRequest = {}): Promise<Record<string, unknown>> {
  const { method = "GET", token, headers = {}, body, cookies = false } = request;
  const response = await reach(path, {
    method,
    headers: {
      accept: "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    cache: "no-store",
    credentials: cookies ? "same-origin" : "omit",
    signal: AbortSignal.timeout(patienceMs),
  });
  const reply = await readReply(response);
  if (!response.ok) throw new ApiProblem(refusalOf(response, reply));
  return reply;
}

async function reach(path: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(path, request);
  } catch {
    // Whether the request arrived is not known; the page reads the state again before it goes on.
    throw new ApiProblem(unreachable(0));
  }
}

async function readReply(response: Response): Promise<Record<string, unknown>> {
  try {
    const reply: unknown = await response.json();
    if (typeof reply === "object" && reply !== null) return { ...reply };
  } catch {
    // A proxy in between may return a page of its own.
  }
  if (response.ok) throw new ApiProblem(unreachable(response.status));
  return {};
}

function refusalOf(response: Response, reply: Record<string, unknown>): Refusal {
  const { code, message, errors, data } = reply;
  const fallback = unreachable(response.status);
  return {
    status: response.status,
    code: typeof code === "string" ? code : fallback.code,
    message: typeof message === "string" ? message : fallback.message,
    errors: Array.isArray(errors) ? (errors as FieldProblem[]) : [],
    data: typeof data === "object" && data !== null ? { ...data } : {},
    requestId: response.headers.get("x-request-id") ?? undefined,
    waitSeconds: secondsOf(response.headers.get("retry-after")),
  };
}

/**
 * Seconds, or nothing that can be told. An empty text would count as 0, and the page would say "now". A date, which a
 * proxy may write, is not read: it would be held against the clock of the customer's device.
 */
function secondsOf(header: string | null): number | null {
  return header !== null && /^\d+(\.\d+)?$/.test(header.trim()) ? Number(header) : null;
}

function unreachable(status: number): Refusal {
  return {
    status,
    code: "unreachable",
    message: "We could not reach the server. Check your connection and try again.",
    errors: [],
    data: {},
    waitSeconds: null,
  };
}
