/** Writes the OpenAPI 3.1 document from the same descriptions that serve the requests, so that the two cannot differ. */
import type { TSchema } from "typebox";
import type { EventCatalogue } from "../../event-catalogue.ts";
import type { ProblemCatalogue } from "../../problem.ts";
import { apiVersion, envelopeSchema, errorSchemas } from "../envelope.ts";
import { type DocumentedRoute, familyOf, type Route } from "../route.ts";
import { errorResponses } from "./errors.ts";
import { exampleOf } from "./example.ts";
import { introduction } from "./introduction.ts";
import { webhooksOf, webhookTag } from "./webhooks.ts";

export interface DocumentOptions {
  readonly routes: readonly Route[];
  readonly catalogue: ProblemCatalogue;
  readonly events: EventCatalogue;
  readonly baseUrl: string;
  /** What each tag is about, in the order in which the reference shows them. */
  readonly tags: readonly { readonly name: string; readonly description: string }[];
}

export function createOpenApiDocument(options: DocumentOptions): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  const routes = options.routes.filter((route) => route.guard !== "page");
  for (const route of routes) {
    const operation = { [route.method.toLowerCase()]: operationOf(route, options.catalogue) };
    paths[route.path] = { ...paths[route.path], ...operation };
  }
  const used = new Set([...routes.map((route) => route.tag), webhookTag]);
  const untold = [...used].filter((name) => !options.tags.some((tag) => tag.name === name));
  if (untold.length > 0) throw new Error(`these tags have no description: ${untold.join(", ")}`);
  return {
    openapi: "3.1.0",
    info: {
      title: "Jara API",
      version: apiVersion,
      summary: "Loans, bills, payouts, checkout credit and wallets for merchants.",
      description: introduction(options.baseUrl),
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: options.baseUrl, description: "This server" }],
    tags: options.tags.filter((tag) => used.has(tag.name)),
    paths,
    webhooks: webhooksOf(options.events),
    components,
  };
}

const components = {
  securitySchemes: {
    secretKey: {
      type: "http",
      scheme: "bearer",
      description: "A merchant's secret key: sk_test_… for a sandbox, sk_live_… for the live environment.",
    },
    operatorToken: { type: "http", scheme: "bearer", description: "The operator's token, op_…" },
  },
  schemas: { GeneralError: errorSchemas.general, LoansError: errorSchemas.loans },
  headers: {
    "X-Request-Id": {
      description: "Names this request in our logs. Send your own to have it used.",
      schema: { type: "string", examples: ["req_Wq3n0vY7kT2a1c"] },
    },
    "API-Version": { description: "The version of the interface.", schema: { type: "string", const: apiVersion } },
    "Idempotent-Replayed": {
      description: "Sent as `true` when the effect had happened before and this is its kept reply.",
      schema: { type: "string", const: "true" },
    },
    "Retry-After": { description: "Seconds to wait.", schema: { type: "integer", examples: [1] } },
  },
};

function operationOf(route: DocumentedRoute, catalogue: ProblemCatalogue): Record<string, unknown> {
  const parameters = [
    ...parametersOf(route.params, "path"),
    ...parametersOf(route.query, "query"),
    ...(route.method === "POST" ? [idempotencyKey] : []),
    ...(route.reply.cached === true ? [ifNoneMatch] : []),
  ];
  const operation: Record<string, unknown> = {
    operationId: operationId(route),
    tags: [route.tag],
    summary: route.summary,
    description: descriptionOf(route),
    security: [{ [route.guard === "key" ? "secretKey" : "operatorToken"]: [] }],
    parameters,
    responses: {
      [String(route.reply.status)]: successOf(route),
      ...(route.reply.cached === true ? { 304: notModified } : {}),
      ...errorResponses(route, catalogue),
    },
  };
  if (route.body !== undefined) operation["requestBody"] = requestBodyOf(route.body);
  return operation;
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

const notModified = { description: "Nothing has changed since the reply with this ETag.", content: {} };

function descriptionOf(route: DocumentedRoute): string {
  const needs = route.guard === "key" ? `\n\nNeeds the scope \`${route.scope}\`.` : "";
  const sandbox = route.guard === "key" && route.sandboxOnly === true ? " Test keys only." : "";
  return route.description + needs + sandbox;
}

/** POST /transfers/bulk/{batchId} reads postTransfersBulkByBatchId. */
function operationId(route: DocumentedRoute): string {
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

function successOf(route: DocumentedRoute): unknown {
  const schema = envelopeSchema(familyOf(route.path), route);
  return {
    description: route.reply.message,
    headers: {
      "X-Request-Id": { $ref: "#/components/headers/X-Request-Id" },
      "API-Version": { $ref: "#/components/headers/API-Version" },
      ...(route.reply.cached === true ? { ETag: { schema: { type: "string" } } } : {}),
      ...(route.method === "POST"
        ? { "Idempotent-Replayed": { $ref: "#/components/headers/Idempotent-Replayed" } }
        : {}),
    },
    content: { "application/json": { schema, example: exampleOf(schema) }, ...otherContent(route) },
  };
}

function otherContent(route: DocumentedRoute): Record<string, unknown> {
  const others = Object.entries(route.reply.alsoAs ?? {});
  return Object.fromEntries(others.map(([type, example]) => [type, { schema: { type: "string" }, example }]));
}
