/** Every error an operation can give, grouped by status, with an example body of its family for each code. */
import type { ProblemCatalogue } from "../../problem.ts";
import { errorBody } from "../envelope.ts";
import { type DocumentedRoute, familyOf } from "../route.ts";

const exampleRequestId = "req_Wq3n0vY7kT2a1c";

/** The codes that come from the guard, the schema and the method rather than from the domain. */
export function codesOf(route: DocumentedRoute): string[] {
  const codes = ["invalid_request", "missing_key", "invalid_key", "headers_too_large", "internal", "unavailable"];
  if (route.guard === "key") codes.push("key_revoked", "key_expired", "address_not_allowed", "scope_missing");
  if (route.guard === "key" && route.sandboxOnly === true) codes.push("sandbox_only");
  codes.push("rate_limited");
  if (route.method !== "GET")
    codes.push("environment_busy", "invalid_json", "body_too_large", "unsupported_media_type");
  if (route.params !== undefined && !route.problems?.some((code) => code.endsWith("_not_found")))
    codes.push("not_found");
  if (route.body !== undefined || route.query !== undefined || route.method === "POST") codes.push("validation_failed");
  if (route.method === "POST") codes.push("idempotency_key_conflict", "idempotency_key_in_use");
  return [...new Set([...(route.problems ?? []), ...codes])];
}

const answerHeaders = {
  "X-Request-Id": { $ref: "#/components/headers/X-Request-Id" },
  "API-Version": { $ref: "#/components/headers/API-Version" },
};

const retryAfter = { "Retry-After": { $ref: "#/components/headers/Retry-After" } };

export function errorResponses(route: DocumentedRoute, catalogue: ProblemCatalogue): Record<string, unknown> {
  const byStatus = Map.groupBy(codesOf(route), (code) => catalogue[code]?.status ?? 500);
  const statuses = [...byStatus.keys()].sort((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => [String(status), errorResponse(route, catalogue, status, byStatus.get(status) ?? [])]),
  );
}

function errorResponse(
  route: DocumentedRoute,
  catalogue: ProblemCatalogue,
  status: number,
  codes: readonly string[],
): unknown {
  const family = familyOf(route.path);
  const lines = codes.map((code) => `- \`${code}\`: ${catalogue[code]?.message ?? ""}`);
  const waits = status === 429 || status === 503 ? retryAfter : {};
  const challenge = status === 401 ? { "WWW-Authenticate": { schema: { type: "string", const: "Bearer" } } } : {};
  return {
    description: lines.join("\n"),
    headers: { ...answerHeaders, ...waits, ...challenge },
    content: {
      "application/json": {
        schema: { $ref: `#/components/schemas/${family === "loans" ? "LoansError" : "GeneralError"}` },
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleError(route, catalogue, code) }])),
      },
    },
  };
}

function exampleError(route: DocumentedRoute, catalogue: ProblemCatalogue, code: string): unknown {
  const errors = code === "validation_failed" ? [{ field: firstField(route), message: "is required" }] : [];
  const content = { code, message: catalogue[code]?.message ?? "", errors, data: null };
  return errorBody(familyOf(route.path), content, exampleRequestId);
}

/** A field of this very operation makes the example concrete. */
function firstField(route: DocumentedRoute): string {
  const schema: unknown = route.body ?? route.query;
  const isObject = typeof schema === "object" && schema !== null && "properties" in schema;
  return isObject ? (Object.keys(schema.properties ?? {})[0] ?? "body") : "Idempotency-Key";
}
