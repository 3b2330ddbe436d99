import { Type } from "typebox";
import { describeRoute, type Route } from "../platform/http/route.ts";
import { IdParams } from "../platform/http/wire.ts";
import { originOf } from "../platform/records/audit.ts";
import { pageOf, pageQuery } from "../platform/records/pagination.ts";
import { addEnvironment, type EnvironmentOpened } from "./add-environment.ts";
import { createMerchant } from "./create-merchant.ts";
import { listMerchants } from "./list-merchants.ts";
import {
  addEnvironmentBody,
  createMerchantBody,
  environmentData,
  merchantData,
  presentEnvironment,
  presentMerchant,
} from "./schemas.ts";

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
