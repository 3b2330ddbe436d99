/**
 * Every error an operation can give, grouped by status. What several operations give in the same way is one response
 * that they refer to: written out at each of them, the errors were half of the document.
 */
import { STATUS_CODES } from "node:http";
import { messageOf, type ProblemCatalogue, type ProblemKind } from "../../problem.ts";
import { type Family, familyOf } from "../family.ts";
import { errorBody, errorSchemas } from "../reply/envelope.ts";
import { isReadFromAnySite } from "../reply/other-origins.ts";
import { isDocumented, type Route } from "../route.ts";
import { wantsProof } from "../wants-proof.ts";
import type { Components } from "./components.ts";
import { exampleOf } from "./example.ts";
import { commonHeaders, headersNamed } from "./headers.ts";
import { lowerCamel, pascal } from "./words.ts";

/** The codes that come from the guard, the schema and the method rather than from the domain. */
export function codesOf(route: Route): string[] {
  const codes = ["invalid_request", "headers_too_large", "internal", "unavailable", "rate_limited"];
  if (isDocumented(route)) codes.push("missing_key", "invalid_key");
  if (route.guard === "page") codes.push("invalid_page_token", "page_ended");
  if (route.guard === "person" || route.guard === "member") codes.push("not_signed_in");
  if (route.guard === "member") codes.push("environment_not_found", "not_found");
  // Every role reads everything.
  if (route.guard === "member" && route.scope.endsWith(":write")) codes.push("scope_missing");
  if (["person", "member", "visitor"].includes(route.guard) && route.method !== "GET") codes.push("cross_site_request");
  if (route.guard === "person" && wantsProof(route, null)) codes.push("proof_needed");
  if (route.guard === "key") codes.push("key_revoked", "key_expired", "address_not_allowed", "scope_missing");
  if (route.guard === "key" && route.sandboxOnly === true) codes.push("sandbox_only");
  if (route.method !== "GET")
    codes.push("environment_busy", "invalid_json", "body_too_large", "unsupported_media_type");
  if (route.reply.alsoAs !== undefined) codes.push("not_acceptable");
  if (route.params !== undefined && !route.problems?.some((code) => code.endsWith("_not_found")))
    codes.push("not_found");
  if (route.body !== undefined || route.query !== undefined || route.method === "POST") codes.push("validation_failed");
  if (route.method === "POST" && route.keepsNothing !== true)
    codes.push("idempotency_key_conflict", "idempotency_key_in_use");
  return [...new Set([...(route.problems ?? []), ...codes])].sort();
}

const families: readonly Family[] = ["general", "loans"];

type Responses = Record<string, unknown>;

interface Refusal {
  readonly status: number;
  readonly codes: readonly string[];
}

function refusalsOf(route: Route, catalogue: ProblemCatalogue): Refusal[] {
  const byStatus = Map.groupBy(codesOf(route), (code) => kindOf(catalogue, code).status);
  return [...byStatus].map(([status, codes]) => ({ status, codes })).sort((a, b) => a.status - b.status);
}

/** What a route can refuse with. */
export function errorResponses(route: Route, catalogue: ProblemCatalogue, components: Components): Responses {
  const family = familyOf(route.path);
  return Object.fromEntries(
    refusalsOf(route, catalogue).map((refusal) => {
      const response = errorResponse(family, catalogue, refusal.codes, commonHeaders(route), components);
      return [refusal.status, components.response(nameOf(route, refusal), response)];
    }),
  );
}

/** What comes back before a path is matched: no operation has these to itself. */
const beforeRouting: readonly string[] = [
  "invalid_request",
  "not_found",
  "method_not_allowed",
  "request_timeout",
  "headers_too_large",
];

/** Given before any route is known, in the family of the path that was asked for. */
export function enterResponsesBeforeRouting(catalogue: ProblemCatalogue, components: Components): void {
  for (const family of families) {
    for (const code of beforeRouting) {
      const allow = code === "method_not_allowed" ? ["Allow"] : [];
      const headers = headersNamed("X-Request-Id", "API-Version", "Jara-Warning", ...allow);
      const response = errorResponse(family, catalogue, [code], headers, components);
      components.keepResponse(nameBeforeRouting(family, code), response);
    }
  }
}

export function nameBeforeRouting(family: Family, code: string): string {
  return familyName(family, `Unrouted${pascal(code)}`);
}

/** The codes that nearly every operation has at this status go without saying. */
const usual = new Set([
  "invalid_request",
  "invalid_json",
  "missing_key",
  "invalid_key",
  "key_revoked",
  "key_expired",
  "address_not_allowed",
  "scope_missing",
  "validation_failed",
  "rate_limited",
  "environment_busy",
  "unavailable",
  "idempotency_key_conflict",
  "idempotency_key_in_use",
  "invalid_page_token",
]);

/** After its own codes; after its status where it has none, but for a single code, which names itself. */
function nameOf(route: Route, { status, codes }: Refusal): string {
  // Keys are counted and operators are not, and browsers are told who may read, so the headers differ.
  const reader = (route.guard === "key" ? "" : pascal(route.guard)) + (isReadFromAnySite(route) ? "OfAnySite" : "");
  const special = codes.length === 1 ? codes : codes.filter((code) => !usual.has(code));
  const phrase = pascal(STATUS_CODES[status] ?? String(status));
  // A method that takes no Idempotency-Key has its conflicts without those of keys.
  const alone = status === 409 && route.method !== "POST" && special.length > 0 ? "Alone" : "";
  return reader + familyName(familyOf(route.path), special.map(pascal).join("Or") || phrase) + alone;
}

function errorResponse(
  family: Family,
  catalogue: ProblemCatalogue,
  codes: readonly string[],
  headers: Record<string, unknown>,
  components: Components,
): Responses {
  const kinds = codes.map((code) => [code, kindOf(catalogue, code)] as const);
  const waits = kinds.some(([, kind]) => kind.retryAfter === true) ? headersNamed("Retry-After") : {};
  const challenge = kinds.some(([, kind]) => kind.status === 401) ? headersNamed("WWW-Authenticate") : {};
  const examples = kinds.map(([code, kind]) => [code, exampleProblem(family, code, kind, components)]);
  return {
    description: kinds.map(([code, kind]) => `- \`${code}\`: ${messageOf(kind)}`).join("\n"),
    headers: { ...headers, ...headersNamed("Link"), ...waits, ...challenge },
    content: {
      "application/json": {
        schema: problemBody(family, kinds, components),
        examples: Object.fromEntries(examples),
      },
    },
  };
}

/** The bodies of refusals: what each code carries, in the words of either family. */
const exampleRequestId = "req_Wq3n0vY7kT2a1c";

/** Names of the general family go without saying. */
const prefixes: Readonly<Record<Family, string>> = { general: "", loans: "Loans" };

function kindOf(catalogue: ProblemCatalogue, code: string): ProblemKind {
  const kind = catalogue[code];
  if (kind === undefined) throw new Error(`no catalogue has the problem ${code}`);
  return kind;
}

function familyName(family: Family, name: string): string {
  return prefixes[family] + name;
}

/** The body of a refusal with one of these codes. A code that carries data says which. */
function problemBody(
  family: Family,
  kinds: readonly (readonly [code: string, kind: ProblemKind])[],
  components: Components,
): unknown {
  const { schemas } = components;
  const base = schemas.enter(familyName(family, "Problem"), schemas.write(errorSchemas[family]));
  const plain = kinds.filter(([, kind]) => kind.data === undefined).map(([code]) => code);
  const choices = [
    ...kinds.filter(([, kind]) => kind.data !== undefined).map((one) => carryingProblem(family, one, components)),
    ...(plain.length === 0 ? [] : [{ properties: { code: { enum: plain }, data: { type: "null" } } }]),
  ];
  return { allOf: [base, choices.length === 1 ? choices[0] : { anyOf: choices }] };
}

function carryingProblem(
  family: Family,
  [code, kind]: readonly [string, ProblemKind],
  { schemas }: Components,
): unknown {
  const data = schemas.write(dataSchema(family, kind));
  const properties = { code: { const: code }, data };
  return schemas.enter(familyName(family, `${pascal(code)}Problem`), { properties, required: ["code", "data"] });
}

function exampleProblem(family: Family, code: string, kind: ProblemKind, components: Components): unknown {
  const field = family === "loans" ? "bank_code" : "bankCode";
  const errors = code === "validation_failed" ? [{ field, message: "is required" }] : [];
  const data = kind.data === undefined ? null : (exampleOf(dataSchema(family, kind)) as Record<string, unknown>);
  const value = errorBody(family, { code, message: messageOf(kind), errors, data }, exampleRequestId);
  return components.example(familyName(family, pascal(code)), { value });
}

/** In the words of the family. */
function dataSchema(family: Family, { data }: ProblemKind): unknown {
  return family === "loans" ? data : renamed(data);
}

/** A copy, names of schemas included, whose properties are in camelCase. */
function renamed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(renamed);
  if (typeof schema !== "object" || schema === null) return schema;
  const copy: Record<string, unknown> = { ...schema };
  for (const [keyword, value] of Object.entries(copy)) copy[keyword] = renamed(value);
  const { properties, required } = copy;
  if (typeof properties === "object" && properties !== null) {
    copy["properties"] = Object.fromEntries(Object.entries(properties).map(([name, one]) => [lowerCamel(name), one]));
    if (Array.isArray(required)) copy["required"] = required.map(String).map(lowerCamel);
  }
  return copy;
}
