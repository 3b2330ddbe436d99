/** One route as an operation of the OpenAPI document. */
import type { TSchema } from "typebox";
import type { ProblemCatalogue } from "../../problem.ts";
import { envelopeSchema } from "../envelope.ts";
import { familyOf, type Route } from "../route.ts";
import { errorResponses } from "./errors.ts";
import { exampleOf } from "./example.ts";
import { commonHeaders, headersNamed, successHeaders } from "./headers.ts";

const securitySchemes = { key: "secretKey", operator: "operatorToken", page: "pageToken" } as const;

/** `shared` collects the error responses that the operation refers to. */
export function operationOf(
  route: Route,
  catalogue: ProblemCatalogue,
  shared: Record<string, unknown>,
): Record<string, unknown> {
  const parameters = [
    ...parametersOf(route.params, "path"),
    ...parametersOf(route.query, "query"),
    ...(route.method === "POST" ? [idempotencyKey] : []),
    ...(route.reply.cached === true ? [ifNoneMatch] : []),
  ];
  return {
    operationId: operationId(route),
    ...(route.guard === "page" ? {} : { tags: [route.tag] }),
    summary: route.summary,
    description: descriptionOf(route),
    security: [{ [securitySchemes[route.guard]]: [] }],
    parameters,
    ...(route.body === undefined ? {} : { requestBody: requestBodyOf(route.body) }),
    responses: {
      ...successesOf(route),
      ...(route.reply.cached === true ? { 304: notModified(route) } : {}),
      ...errorResponses(route, catalogue, shared),
    },
  };
}

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "Up to 255 visible characters of your choice. The same key and body again give the first reply again.",
  schema: { type: "string", minLength: 1, maxLength: 255, examples: ["5f0f2c7e-order-1042"] },
};

const ifNoneMatch = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description: "The ETag of an earlier reply: if nothing has changed since, 304 without a body comes back.",
  schema: { type: "string", examples: ['"x2q8…"'] },
};

function notModified(route: Route): unknown {
  const headers = { ...commonHeaders(route), ...headersNamed("ETag") };
  return { description: "Nothing has changed since the reply with this ETag.", headers };
}

function descriptionOf(route: Route): string {
  const needs = route.guard === "key" ? `\n\nNeeds the scope \`${route.scope}\`.` : "";
  const sandbox = route.guard === "key" && route.sandboxOnly === true ? " Test keys only." : "";
  return route.description + needs + sandbox;
}

/** POST /transfers/bulk/{batchId} reads postTransfersBulkByBatchId. */
function operationId(route: Route): string {
  const words = route.path
    .split("/")
    .filter((step) => step !== "")
    .flatMap((step) => {
      const name = /^\{(.+)\}$/.exec(step)?.[1];
      return name === undefined ? step.split("-") : ["by", name];
    });
  return route.method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

function parametersOf(schema: TSchema | undefined, place: "path" | "query"): unknown[] {
  if (schema === undefined || !("properties" in schema)) return [];
  const required = "required" in schema && Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    ...(hasDescription(property) ? { description: property.description } : {}),
    schema: property,
  }));
}

function hasDescription(schema: unknown): schema is { description: string } {
  return typeof schema === "object" && schema !== null && "description" in schema;
}

function requestBodyOf(schema: TSchema): unknown {
  const required = "required" in schema && Array.isArray(schema.required) && schema.required.length > 0;
  return { required, content: { "application/json": { schema, example: exampleOf(schema) } } };
}

function successesOf(route: Route): Record<string, unknown> {
  const { status, message, also = {} } = route.reply;
  const meanings = Object.entries({ ...also, [status]: message });
  return Object.fromEntries(meanings.map(([code, meaning]) => [code, successOf(route, meaning)]));
}

function successOf(route: Route, description: string): unknown {
  const schema = envelopeSchema(familyOf(route.path), route);
  return {
    description,
    headers: successHeaders(route),
    content: { "application/json": { schema, example: exampleOf(schema) }, ...otherContent(route) },
  };
}

function otherContent(route: Route): Record<string, unknown> {
  const others = Object.entries(route.reply.alsoAs ?? {});
  return Object.fromEntries(others.map(([type, example]) => [type, { schema: { type: "string" }, example }]));
}
