/**
 * The shop as a customer of the API. It speaks HTTP with its secret key like any merchant's server and knows nothing of
 * what is behind: what works here works for everybody.
 */
import { type FieldError, Problem } from "../platform/problem.ts";
import { shopProblem } from "./errors.ts";

export interface ApiAccess {
  readonly secretKey: string;
  /** Where the API listens; known once it does. */
  apiUrl(): string;
}

const patienceMs = 15_000;

export async function callApi(
  access: ApiAccess,
  path: string,
  body?: unknown,
  method: "GET" | "POST" | "PATCH" = body === undefined ? "GET" : "POST",
): Promise<Record<string, unknown>> {
  const response = await reach(`${access.apiUrl()}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${access.secretKey}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(patienceMs),
  });
  const reply = (await response.json()) as Record<string, unknown>;
  if (!response.ok) throw refusalOf(response.status, reply);
  return reply["data"] as Record<string, unknown>;
}

async function reach(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request);
  } catch (cause) {
    throw shopProblem("shop_api_unreachable", { cause, headers: { "Retry-After": "1" } });
  }
}

/** What the API refuses, the shop passes on: here the customer is the developer who wants to see it. */
function refusalOf(status: number, { code, message, errors }: Record<string, unknown>): Problem {
  const kind = { status, cause: String(message) };
  return new Problem(String(code), kind, { errors: (errors as FieldError[]).map(inFormWords) });
}

/** customer.first_name is the form's firstName. */
function inFormWords({ field, message }: FieldError): FieldError {
  const name = field.replace(/^customer\./, "").replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return { field: name, message };
}
