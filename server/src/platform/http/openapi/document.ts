/** Writes the OpenAPI 3.1 document from the same descriptions that serve the requests, so that the two cannot differ. */

import type { ProblemCatalogue } from "../../problem.ts";
import type { EventCatalogue } from "../../records/event-catalogue.ts";
import { apiVersion, errorSchemas } from "../envelope.ts";
import type { Route } from "../route.ts";
import { problemSchemas, responsesBeforeRouting } from "./errors.ts";
import { headerComponents } from "./headers.ts";
import { introduction } from "./introduction.ts";
import { operationOf } from "./operation.ts";
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
  const routes = options.routes.filter((route) => route.guard !== "page");
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
    webhooks: webhooksOf(options.events),
    ...operationsOf(routes, options.catalogue),
  };
}

/** The paths, and the components that they refer to. */
export function operationsOf(
  routes: readonly Route[],
  catalogue: ProblemCatalogue,
): { readonly paths: Record<string, Record<string, unknown>>; readonly components: Record<string, unknown> } {
  const paths: Record<string, Record<string, unknown>> = {};
  const responses: Record<string, unknown> = responsesBeforeRouting(catalogue);
  for (const route of routes) {
    const operation = { [route.method.toLowerCase()]: operationOf(route, catalogue, responses) };
    paths[route.path] = { ...paths[route.path], ...operation };
  }
  const schemas = {
    GeneralError: errorSchemas.general,
    LoansError: errorSchemas.loans,
    ...problemSchemas(catalogue),
  };
  return { paths, components: { securitySchemes, schemas, headers: headerComponents, responses } };
}

const securitySchemes = {
  secretKey: {
    type: "http",
    scheme: "bearer",
    description: "A merchant's secret key: sk_test_… for a sandbox, sk_live_… for the live environment.",
  },
  operatorToken: { type: "http", scheme: "bearer", description: "The operator's token, op_…" },
};
