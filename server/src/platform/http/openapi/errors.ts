/**
 * Every error an operation can give, grouped by status. Operations that give the same errors refer to the same
 * response: written out at each of them, the errors were half of the document.
 */
import { STATUS_CODES } from "node:http";
import type { ProblemCatalogue, ProblemKind } from "../../problem.ts";
import { errorBody } from "../envelope.ts";
import { type Family, familyOf, type Route } from "../route.ts";
import { exampleOf } from "./example.ts";
import { commonHeaders, headersNamed } from "./headers.ts";

const exampleRequestId = "req_Wq3n0vY7kT2a1c";

/** The codes that come from the guard, the schema and the method rather than from the domain. */
export function codesOf(route: Route): string[] {
  const codes = ["invalid_request", "headers_too_large", "internal", "unavailable", "rate_limited"];
  if (route.guard === "page") codes.push("invalid_page_token", "page_ended");
  else codes.push("missing_key", "invalid_key");
  if (route.guard === "key") codes.push("key_revoked", "key_expired", "address_not_allowed", "scope_missing");
  if (route.guard === "key" && route.sandboxOnly === true) codes.push("sandbox_only");
  if (route.method !== "GET")
    codes.push("environment_busy", "invalid_json", "body_too_large", "unsupported_media_type");
  if (route.reply.alsoAs !== undefined) codes.push("not_acceptable");
  if (route.params !== undefined && !route.problems?.some((code) => code.endsWith("_not_found")))
    codes.push("not_found");
  if (route.body !== undefined || route.query !== undefined || route.method === "POST") codes.push("validation_failed");
  if (route.method === "POST") codes.push("idempotency_key_conflict", "idempotency_key_in_use");
  return [...new Set([...(route.problems ?? []), ...codes])].sort();
}

const families: readonly Family[] = ["general", "loans"];

type Responses = Record<string, unknown>;

/** What a route can refuse with. `shared` collects the responses that are referred to. */
export function errorResponses(route: Route, catalogue: ProblemCatalogue, shared: Responses): Responses {
  const byStatus = Map.groupBy(codesOf(route), (code) => kindOf(catalogue, code).status);
  const statuses = [...byStatus.keys()].sort((a, b) => a - b);
  const family = familyOf(route.path);
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = byStatus.get(status) ?? [];
      // Keys are counted and operators are not, so the headers differ.
      const name = (route.guard === "key" ? "" : camel(route.guard)) + nameOf(family, status, codes);
      shared[name] ??= errorResponse(family, catalogue, codes, commonHeaders(route));
      return [String(status), { $ref: `#/components/responses/${name}` }];
    }),
  );
}

/** What comes back before a path is matched: no operation has these to itself. */
const beforeRouting: readonly string[] = [
  ...["invalid_request", "not_found", "method_not_allowed", "request_timeout", "headers_too_large"],
];

/** Given before any route is known, in the family of the path that was asked for. */
export function responsesBeforeRouting(catalogue: ProblemCatalogue): Responses {
  return Object.fromEntries(
    families.flatMap((family) =>
      beforeRouting.map((code) => {
        const allow = code === "method_not_allowed" ? ["Allow"] : [];
        const headers = headersNamed("X-Request-Id", "API-Version", "Jara-Warning", ...allow);
        return [nameBeforeRouting(family, code), errorResponse(family, catalogue, [code], headers)];
      }),
    ),
  );
}

export function nameBeforeRouting(family: Family, code: string): string {
  return `${camel(family)}BeforeRouting-${camel(code)}`;
}

/** The data of each refusal that carries some, by the name under which responses refer to it. */
export function problemSchemas(catalogue: ProblemCatalogue): Record<string, unknown> {
  const carrying = Object.entries(catalogue).filter(([, kind]) => kind.data !== undefined);
  return Object.fromEntries(
    families.flatMap((family) =>
      carrying.map(([code, kind]) => [
        problemName(family, code),
        { properties: { code: { const: code }, data: dataSchema(family, kind) }, required: ["code", "data"] },
      ]),
    ),
  );
}

/** The codes that nearly every operation has at this status go without saying. */
const usual = new Set([
  ...["invalid_request", "invalid_json", "missing_key", "invalid_key", "key_revoked", "key_expired"],
  ...[
    "address_not_allowed",
    "scope_missing",
    "validation_failed",
    "rate_limited",
    "environment_busy",
    "internal",
    "unavailable",
  ],
  ...["idempotency_key_conflict", "idempotency_key_in_use", "headers_too_large", "body_too_large"],
  ...["unsupported_media_type", "not_acceptable", "not_found", "invalid_page_token"],
]);

function nameOf(family: Family, status: number, codes: readonly string[]): string {
  const phrase = (STATUS_CODES[status] ?? String(status)).replaceAll(/[^A-Za-z]/g, "");
  const all = codes.filter((code) => usual.has(code)).map(camel);
  const special = codes.filter((code) => !usual.has(code)).map(camel);
  return [camel(family) + phrase, ...special, ...(all.length === 0 ? [] : [`and${all.length}`])].join("-");
}

function errorResponse(
  family: Family,
  catalogue: ProblemCatalogue,
  codes: readonly string[],
  headers: Record<string, unknown>,
): unknown {
  const kinds = codes.map((code) => [code, kindOf(catalogue, code)] as const);
  const waits = kinds.some(([, kind]) => kind.retryAfter === true) ? headersNamed("Retry-After") : {};
  const challenge = kinds.some(([, kind]) => kind.status === 401) ? headersNamed("WWW-Authenticate") : {};
  return {
    description: kinds.map(([code, { message }]) => `- \`${code}\`: ${message}`).join("\n"),
    headers: { ...headers, ...waits, ...challenge },
    content: {
      "application/json": {
        schema: bodySchema(family, kinds),
        examples: Object.fromEntries(kinds.map(([code, kind]) => [code, { value: exampleError(family, code, kind) }])),
      },
    },
  };
}

function bodySchema(family: Family, kinds: readonly (readonly [string, ProblemKind])[]): unknown {
  const plain = kinds.filter(([, kind]) => kind.data === undefined).map(([code]) => code);
  const carrying = kinds.filter(([, kind]) => kind.data !== undefined).map(([code]) => code);
  const choices = [
    ...carrying.map((code) => ({ $ref: `#/components/schemas/${problemName(family, code)}` })),
    ...(plain.length === 0 ? [] : [{ properties: { code: { enum: plain }, data: { type: "null" } } }]),
  ];
  const base = { $ref: `#/components/schemas/${camel(family)}Error` };
  return { allOf: [base, choices.length === 1 ? choices[0] : { oneOf: choices }] };
}

function exampleError(family: Family, code: string, kind: ProblemKind): unknown {
  const field = family === "loans" ? "bank_code" : "bankCode";
  const errors = code === "validation_failed" ? [{ field, message: "is required" }] : [];
  const data = kind.data === undefined ? null : (exampleOf(dataSchema(family, kind)) as Record<string, unknown>);
  return errorBody(family, { code, message: kind.message, errors, data }, exampleRequestId);
}

function kindOf(catalogue: ProblemCatalogue, code: string): ProblemKind {
  const kind = catalogue[code];
  if (kind === undefined) throw new Error(`no catalogue has the problem ${code}`);
  return kind;
}

function problemName(family: Family, code: string): string {
  return `${camel(family)}${camel(code)}Problem`;
}

/** In the words of the family. */
function dataSchema(family: Family, { data }: ProblemKind): unknown {
  return family === "loans" ? data : JSON.parse(JSON.stringify(data), renameProperties);
}

function renameProperties(_: string, schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null || !("properties" in schema)) return schema;
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => [lowerCamel(name), property]);
  const required = "required" in schema && Array.isArray(schema.required) ? schema.required.map(lowerCamel) : [];
  return { ...schema, properties: Object.fromEntries(properties), required };
}

/** loan_id reads loanId. */
function lowerCamel(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** reference_conflict reads ReferenceConflict. */
function camel(words: string): string {
  return words
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}
