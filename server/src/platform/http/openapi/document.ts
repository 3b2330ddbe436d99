/** Writes the OpenAPI 3.1 document from the same descriptions that serve the requests, so that the two cannot differ. */

import { type TObject, Type } from "typebox";
import type { ProblemCatalogue } from "../../problem.ts";
import type { EventCatalogue, EventKind } from "../../records/event-catalogue.ts";
import { apiVersion } from "../reply/envelope.ts";
import { isDocumented, type Route } from "../route.ts";
import { EnvironmentWord, Timestamp, Uuid } from "../wire.ts";
import { type Components, createComponents } from "./components.ts";
import { enterResponsesBeforeRouting } from "./errors.ts";
import { exampleOf } from "./example.ts";
import { headerComponents } from "./headers.ts";
import { introduction } from "./introduction.ts";
import { operationOf } from "./operation.ts";
import { pascal } from "./words.ts";

/** Integrators call with a merchant's key, operators with their token; neither has a use for the other's operations. */
const audiences = {
  integrators: {
    guard: "key",
    title: "Jara API",
    summary: "Loans, bills, payouts, checkout credit and wallets for merchants.",
  },
  operators: {
    guard: "operator",
    title: "Jara operator API",
    summary: "Merchants, keys, decisions and corrections, for the people who run the service.",
  },
} as const;

export type Audience = keyof typeof audiences;

export interface DocumentOptions {
  readonly audience: Audience;
  readonly routes: readonly Route[];
  readonly catalogue: ProblemCatalogue;
  readonly events: EventCatalogue;
  readonly baseUrl: string;
  /** What each tag is about, in the order in which the reference shows them. */
  readonly tags: readonly { readonly name: string; readonly description: string }[];
}

export function createOpenApiDocument(options: DocumentOptions): Record<string, unknown> {
  const { audience, events } = options;
  const { guard, title, summary } = audiences[audience];
  const routes = options.routes.filter((route) => route.guard === guard);
  const tags = new Set(routes.flatMap((route) => (isDocumented(route) ? [route.tag] : [])));
  const isForIntegrators = audience === "integrators";
  if (isForIntegrators) tags.add(webhookTag);
  const untold = [...tags].filter((name) => !options.tags.some((tag) => tag.name === name));
  if (untold.length > 0) throw new Error(`these tags have no description: ${untold.join(", ")}`);
  const webhooks = (components: Components) => (isForIntegrators ? { webhooks: webhooksOf(events, components) } : {});
  return {
    openapi: "3.1.0",
    info: {
      title,
      version: apiVersion,
      summary,
      description: introduction(audience, options.baseUrl),
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: options.baseUrl, description: "This server" }],
    tags: options.tags.filter((tag) => tags.has(tag.name)),
    ...operationsOf(routes, options.catalogue, webhooks),
  };
}

interface Operations {
  readonly paths: Record<string, Record<string, unknown>>;
  readonly components: Record<string, unknown>;
}

/** The paths, what `further` adds, and the components that they refer to. */
export function operationsOf(
  routes: readonly Route[],
  catalogue: ProblemCatalogue,
  further: (components: Components) => Record<string, unknown> = () => ({}),
): Operations {
  const components = createComponents();
  enterResponsesBeforeRouting(catalogue, components);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const operation = { [route.method.toLowerCase()]: operationOf(route, catalogue, components) };
    paths[route.path] = { ...paths[route.path], ...operation };
  }
  const written = { ...further(components), paths };
  const finished = components.finish();
  const headers = usedHeaders(JSON.stringify([written, finished]));
  return { ...written, components: { securitySchemes: schemesOf(routes), headers, ...finished } };
}

function usedHeaders(text: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headerComponents).filter(([name]) => text.includes(`"#/components/headers/${name}"`)),
  );
}

/** How each guard is passed. The hosted pages' own tokens are nobody else's business. */
function schemesOf(routes: readonly Route[]): Record<string, unknown> {
  const guards = new Set(routes.map((route) => route.guard));
  return { ...(guards.has("key") ? { secretKey } : {}), ...(guards.has("operator") ? { operatorToken } : {}) };
}

const secretKey = {
  type: "http",
  scheme: "bearer",
  description: "A merchant's secret key: sk_test_… for a sandbox, sk_live_… for the live environment.",
};

const operatorToken = { type: "http", scheme: "bearer", description: "The operator's token, op_…" };

/** The `webhooks` of the OpenAPI document: every event as the request that an endpoint receives. */

/** Events stand in the reference beside the endpoints that receive them. */
const webhookTag = "Webhooks";

function webhooksOf(catalogue: EventCatalogue, components: Components): Record<string, unknown> {
  return Object.fromEntries(Object.entries(catalogue).map(([name, kind]) => [name, webhookOf(name, kind, components)]));
}

const signatureHeaders = [
  ["webhook-id", "The event's id, the same over all retries.", exampleOf(Uuid)],
  ["webhook-timestamp", "Seconds since 1970 when this attempt was made.", "1793521800"],
  [
    "webhook-signature",
    "Standard Webhooks: `v1,` and the Base64 of HMAC-SHA256 over `id.timestamp.body`; two during a rotation.",
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  ],
].map(([name, description, example]) => ({
  name: String(name),
  in: "header",
  required: true,
  description,
  schema: { type: "string", examples: [example] },
}));

function webhookOf(name: string, kind: EventKind, components: Components): unknown {
  const body = Type.Object({
    id: Uuid,
    event: Type.Literal(name),
    created_at: Timestamp,
    environment: EnvironmentWord,
    resource_version: Type.Integer({
      minimum: 1,
      description: "Counts the changes of the record: the higher of two is the later.",
    }),
    data: kind.data,
  });
  const sameAs = kind.readAt === undefined ? "" : `\n\n\`data\` is what \`GET ${kind.readAt}\` shows at that moment.`;
  return {
    post: {
      operationId: operationIdOf(name),
      tags: [webhookTag],
      summary: name,
      description: kind.description + sameAs,
      security: [],
      parameters: signatureHeaders.map((header) => components.parameter(pascal(header.name), header)),
      requestBody: {
        required: true,
        content: { "application/json": { schema: components.schemas.write(body), example: exampleFor(body, kind) } },
      },
      responses: {
        "2XX": { description: "Return any 2xx within 15 seconds. Everything else is retried." },
        "410": { description: "Disables the endpoint." },
      },
    },
  };
}

function exampleFor(body: TObject, { example }: EventKind): unknown {
  const made = exampleOf(body) as Record<string, unknown>;
  return example === undefined ? made : { ...made, data: example };
}

/** transfer.completed reads onTransferCompleted. */
function operationIdOf(name: string): string {
  return `on${name
    .split(".")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("")}`;
}
