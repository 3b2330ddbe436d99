/** One route as an operation of the OpenAPI document. */
import type { TSchema } from "typebox";
import type { ProblemCatalogue } from "../../problem.ts";
import { familyOf } from "../family.ts";
import { declarationOf } from "../named-schema.ts";
import { envelopeSchema } from "../reply/envelope.ts";
import { isDocumented, type Route } from "../route.ts";
import type { Components } from "./components.ts";
import { errorResponses } from "./errors.ts";
import { exampleOf, requestExampleOf } from "./example.ts";
import { commonHeaders, headersNamed, successHeaders } from "./headers.ts";
import { pascal } from "./words.ts";

const schemes = {
  key: "secretKey",
  operator: "operatorToken",
  page: "pageToken",
  person: "session",
  member: "session",
  visitor: "nothing",
} as const;

/** `components` collects what the operation refers to. */
export function operationOf(
  route: Route,
  catalogue: ProblemCatalogue,
  components: Components,
): Record<string, unknown> {
  return {
    ...(isDocumented(route) ? { operationId: route.operationId, tags: [route.tag] } : {}),
    summary: route.summary,
    description: descriptionOf(route),
    security: [{ [schemes[route.guard]]: [] }],
    parameters: parametersOf(route, components).map((one) => components.parameter(parameterName(one), { ...one })),
    ...(route.body === undefined ? {} : { requestBody: requestBodyOf(route.body, components) }),
    responses: {
      ...successesOf(route, components),
      ...(route.reply.cached === true ? { 304: notModified(route) } : {}),
      ...errorResponses(route, catalogue, components),
    },
  };
}

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "Up to 255 visible characters of your choice. The same key and body again give the first reply again.",
  // No example: a page that fills one in would send the same key twice.
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

const ifNoneMatch = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description: "The ETag of an earlier reply: if nothing has changed since, 304 without a body comes back.",
  schema: { type: "string" },
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

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: unknown;
}

function parametersOf(route: Route, components: Components): Parameter[] {
  return [
    ...parametersIn("path", route.params, components),
    ...parametersIn("query", route.query, components),
    ...(route.method === "POST" && route.keepsNothing !== true ? [idempotencyKey] : []),
    ...(route.reply.cached === true ? [ifNoneMatch] : []),
  ];
}

function parametersIn(place: "path" | "query", schema: TSchema | undefined, { schemas }: Components): Parameter[] {
  if (schema === undefined || !("properties" in schema)) return [];
  const required = "required" in schema && Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const isRequired = place === "path" || required.includes(name);
    // A page that tries the operation leaves a disabled example out: filters nobody asked for would hide records.
    return {
      name,
      in: place,
      required: isRequired,
      ...(hasDescription(property) ? { description: property.description } : {}),
      schema: schemas.write(property),
      ...(isRequired ? {} : { examples: { default: { value: exampleOf(property), "x-disabled": true } } }),
    };
  });
}

/** The path's accountId and the query's are two things. */
function parameterName(parameter: Parameter): string {
  return pascal(`${parameter.name} ${parameter.in}`);
}

function hasDescription(schema: unknown): schema is { description: string } {
  return typeof schema === "object" && schema !== null && "description" in schema;
}

function requestBodyOf(schema: TSchema, { schemas }: Components): unknown {
  const required = "required" in schema && Array.isArray(schema.required) && schema.required.length > 0;
  const content = { schema: schemas.write(schema), example: requestExampleOf(schema) };
  return { required, content: { "application/json": content } };
}

function successesOf(route: Route, components: Components): Record<string, unknown> {
  const { status, message, also = {} } = route.reply;
  const meanings = Object.entries({ ...also, [status]: message });
  return Object.fromEntries(meanings.map(([code, meaning]) => [code, successOf(route, meaning, components)]));
}

/** Operations that return the same record share a response; what it means stands at each of them. */
function successOf(route: Route, meaning: string, components: Components): unknown {
  const schema = components.schemas.write(envelopeSchema(familyOf(route.path), route));
  const content = { "application/json": { schema }, ...otherContent(route) };
  const name = successName(route);
  const response = { description: name ?? meaning, headers: successHeaders(route), content };
  return name === undefined ? response : components.response(name, response, { description: meaning });
}

/** Transfer, TransferPage; undefined where the data has no name. */
function successName({ guard, method, path, reply }: Route): string | undefined {
  const { data, paged } = reply;
  const items: unknown = "items" in data ? data.items : undefined;
  const list = paged === true ? "Page" : "List";
  const record = declarationOf(data)?.name ?? (isObject(items) ? listOf(declarationOf(items)?.name, list) : undefined);
  if (record === undefined) return undefined;
  // The headers differ: some have their own, operators are not counted, and a POST can be a repetition.
  if (reply.headers !== undefined) return undefined;
  const reader = guard === "key" ? "" : pascal(guard);
  const family = familyOf(path) === "loans" ? "Loans" : "";
  return `${reader}${family}${record}${method === "POST" ? "AfterPost" : ""}`;
}

function listOf(name: string | undefined, list: string): string | undefined {
  return name === undefined ? undefined : name + list;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function otherContent(route: Route): Record<string, unknown> {
  const others = Object.entries(route.reply.alsoAs ?? {});
  return Object.fromEntries(others.map(([type, example]) => [type, { schema: { type: "string" }, example }]));
}
