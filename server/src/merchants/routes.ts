import { type Static, Type } from "typebox";
import { environmentKinds } from "../platform/database/database.ts";
import { named } from "../platform/http/named-schema.ts";
import { describeRoute, type Route } from "../platform/http/route.ts";
import { Email, IdParams, OneOf, Timestamp, Uuid } from "../platform/http/wire.ts";
import { originOf } from "../platform/records/audit.ts";
import { pageOf, pageQuery } from "../platform/records/pagination.ts";
import { addEnvironment, type EnvironmentOpened } from "./add-environment.ts";
import { createMerchant } from "./create-merchant.ts";
import type { Environment, Merchant } from "./merchant.ts";
import { listMerchants } from "./read-merchants.ts";

const tag = "Operator";

export interface MerchantRouteDependencies {
  readonly environmentOpened: EnvironmentOpened;
}

export function merchantRoutes({ environmentOpened }: MerchantRouteDependencies): Route[] {
  return [createRoute(environmentOpened), listRoute(), addEnvironmentRoute(environmentOpened)];
}

function createRoute(environmentOpened: EnvironmentOpened): Route {
  return describeRoute("operator", {
    method: "POST",
    path: "/operator/merchants",
    operationId: "createMerchant",
    tag,
    summary: "Create a merchant",
    description: "Creates a merchant together with one sandbox. Issue a key for the sandbox next.",
    body: createMerchantBody,
    reply: { status: 201, message: "Merchant created.", data: merchantData },
    handle: (request) =>
      request.write(async (tx) => {
        const { name, email } = request.body;
        const command = { name, email, origin: originOf(request), environmentOpened };
        return { data: presentMerchant(await createMerchant(tx, command)) };
      }),
  });
}

function listRoute(): Route {
  return describeRoute("operator", {
    method: "GET",
    path: "/operator/merchants",
    operationId: "listMerchants",
    tag,
    summary: "List merchants",
    description: "All merchants with their environments, newest merchant first.",
    query: pageQuery,
    reply: { status: 200, message: "Merchants retrieved.", data: Type.Array(merchantData), paged: true },
    handle: (request) =>
      request.read(async (tx) => {
        const { rows, pagination } = await listMerchants(tx, pageOf(request.query));
        return { data: rows.map(presentMerchant), pagination };
      }),
  });
}

function addEnvironmentRoute(environmentOpened: EnvironmentOpened): Route {
  return describeRoute("operator", {
    method: "POST",
    path: "/operator/merchants/{id}/environments",
    operationId: "createEnvironment",
    tag,
    summary: "Add an environment",
    description:
      "Gives a merchant another sandbox, or its live environment; a merchant has at most one of those. Environments share nothing.",
    params: IdParams,
    body: addEnvironmentBody,
    reply: { status: 201, message: "Environment created.", data: environmentData },
    problems: ["merchant_not_found", "live_environment_exists"],
    handle: (request) =>
      request.write(async (tx) => {
        const { kind, name } = request.body;
        const origin = originOf(request);
        const command = { merchantId: request.params.id, kind, name, origin, environmentOpened };
        return { data: presentEnvironment(await addEnvironment(tx, command)) };
      }),
  });
}

const exampleEnvironmentId = "01932c5e-8f4b-7c3a-9d2e-5b6a7c8d9e0f";
const exampleMerchantId = "01932c5e-7a10-7f2b-8c4d-1e2f3a4b5c6d";

const environmentKind = OneOf(environmentKinds, {
  description: "In a SANDBOX nothing is real; in LIVE, money moves.",
});

const environmentName = Type.String({
  minLength: 1,
  maxLength: 100,
  // Something other than white space; the database and people both want a name.
  pattern: "\\S",
  description: "For people, to tell environments apart.",
  examples: ["Staging"],
});

export const createMerchantBody = named(
  "NewMerchant",
  Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: 200, pattern: "\\S", description: "The business's name." }),
      email: Email,
    },
    { examples: [{ name: "Mama Put Foods", email: "owner@mamaput.example" }] },
  ),
);

export const addEnvironmentBody = named(
  "NewEnvironment",
  Type.Object({ kind: environmentKind, name: environmentName }, { examples: [{ kind: "LIVE", name: "Live" }] }),
);

export const environmentData = named(
  "MerchantEnvironment",
  Type.Object(
    {
      id: Uuid,
      merchantId: Uuid,
      kind: environmentKind,
      name: Type.String(),
      createdAt: Timestamp,
    },
    {
      examples: [
        {
          id: exampleEnvironmentId,
          merchantId: exampleMerchantId,
          kind: "SANDBOX",
          name: "Sandbox",
          createdAt: "2026-11-03T09:15:00.000Z",
        },
      ],
    },
  ),
);

export const merchantData = named(
  "Merchant",
  Type.Object(
    {
      id: Uuid,
      name: Type.String(),
      email: Type.String(),
      createdAt: Timestamp,
      environments: Type.Array(Type.Object({ id: Uuid, kind: environmentKind, name: Type.String() }), {
        description: "Oldest first.",
      }),
    },
    {
      examples: [
        {
          id: exampleMerchantId,
          name: "Mama Put Foods",
          email: "owner@mamaput.example",
          createdAt: "2026-11-03T09:15:00.000Z",
          environments: [{ id: exampleEnvironmentId, kind: "SANDBOX", name: "Sandbox" }],
        },
      ],
    },
  ),
);

export function presentEnvironment(environment: Environment): Static<typeof environmentData> {
  return { ...environment, createdAt: environment.createdAt.toISOString() };
}

export function presentMerchant({ id, name, email, createdAt, environments }: Merchant): Static<typeof merchantData> {
  return {
    id,
    name,
    email,
    createdAt: createdAt.toISOString(),
    environments: environments.map((environment) => ({
      id: environment.id,
      kind: environment.kind,
      name: environment.name,
    })),
  };
}
