import { Type } from "typebox";
import type { EnvironmentKind } from "../platform/database/database.ts";
import { keyRoute, type Route } from "../platform/http/route.ts";
import { IdParams } from "../platform/http/wire.ts";
import { pageOf, pageQuery, paginationOf } from "../platform/records/pagination.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import { changeEndpoint } from "./change-endpoint.ts";
import { createEndpoint } from "./create-endpoint.ts";
import { deleteEndpoint } from "./delete-endpoint.ts";
import { type EndpointRules, endpointErrors } from "./endpoint-input.ts";
import {
  changeEndpointBody,
  createEndpointBody,
  deletedEndpoint,
  endpointData,
  endpointWithSecret,
  limitSentence,
  rotateSecretBody,
  sentTest,
} from "./endpoint-schemas.ts";
import { readEndpoints } from "./endpoint-store.ts";
import { findEndpoint } from "./find-endpoint.ts";
import { presentEndpoint } from "./present-endpoint.ts";
import { reachPolicyFor, type WebhookReach } from "./reachable-address.ts";
import { rotateEndpointSecret } from "./rotate-endpoint-secret.ts";
import { testEndpoint, testEvent } from "./test-endpoint.ts";

export interface EndpointRouteDependencies {
  readonly sealer: Sealer;
  /** Blocks of addresses that the operator opened to webhooks. */
  readonly reach: WebhookReach;
  /** Every event that there is. */
  readonly eventNames: readonly string[];
}

const tag = "Webhooks";
const reads = { tag, scope: "webhooks:read" } as const;
const writes = { tag, scope: "webhooks:write" } as const;
const oneEndpoint = { path: "/webhooks/endpoints/{id}", params: IdParams } as const;
const notFound = "webhook_endpoint_not_found";

export function endpointRoutes({ sealer, reach, eventNames }: EndpointRouteDependencies): Route[] {
  const rules: Rules = {
    SANDBOX: { policy: reachPolicyFor("SANDBOX", reach), eventNames },
    LIVE: { policy: reachPolicyFor("LIVE", reach), eventNames },
  };
  return [
    createRoute(sealer, rules),
    listRoute(),
    readRoute(),
    changeRoute(rules),
    deleteRoute(),
    rotateRoute(sealer),
    testRoute(),
  ];
}

type Rules = Readonly<Record<EnvironmentKind, EndpointRules>>;

function createRoute(sealer: Sealer, rules: Rules): Route {
  return keyRoute({
    ...writes,
    method: "POST",
    path: "/webhooks/endpoints",
    operationId: "createWebhookEndpoint",
    summary: "Add a webhook endpoint",
    description: `Adds an address to which events are sent. Its secret is shown in this reply only. ${limitSentence}`,
    body: createEndpointBody,
    rules: (fields, kind) => endpointErrors(fields, rules[kind]),
    reply: {
      status: 201,
      message: "Endpoint added. Keep the secret now: it is not shown again.",
      data: endpointWithSecret,
    },
    problems: ["webhook_endpoint_limit", "webhook_endpoint_exists"],
    handle: ({ body, caller, write }) =>
      write(async (tx) => {
        const { endpoint, secret } = await createEndpoint(tx, { ...body, ...rules[caller.kind], sealer });
        return { data: { ...presentEndpoint(endpoint), secret } };
      }),
  });
}

function listRoute(): Route {
  return keyRoute({
    ...reads,
    method: "GET",
    path: "/webhooks/endpoints",
    operationId: "listWebhookEndpoints",
    summary: "List webhook endpoints",
    description: "The endpoints, newest first, with the reason where one is disabled. Secrets are not shown.",
    query: pageQuery,
    reply: { status: 200, message: "Endpoints retrieved.", data: Type.Array(endpointData), paged: true },
    handle: ({ query, read }) =>
      read(async (tx) => {
        const endpoints = await readEndpoints(tx);
        const { page, limit } = pageOf(query);
        return {
          data: endpoints.slice((page - 1) * limit, page * limit).map(presentEndpoint),
          pagination: paginationOf(BigInt(endpoints.length), page, limit),
        };
      }),
  });
}

function readRoute(): Route {
  return keyRoute({
    ...reads,
    ...oneEndpoint,
    method: "GET",
    operationId: "getWebhookEndpoint",
    summary: "Read a webhook endpoint",
    description: "One endpoint, without its secret.",
    reply: { status: 200, message: "Endpoint retrieved.", data: endpointData },
    problems: [notFound],
    handle: ({ params, read }) => read(async (tx) => ({ data: presentEndpoint(await findEndpoint(tx, params.id)) })),
  });
}

function changeRoute(rules: Rules): Route {
  return keyRoute({
    ...writes,
    ...oneEndpoint,
    method: "PATCH",
    operationId: "updateWebhookEndpoint",
    summary: "Change a webhook endpoint",
    description:
      "Changes the fields that you send and leaves the others. Disabling holds what is still to be delivered; after enabling, send it again with POST /events/redeliver.",
    body: changeEndpointBody,
    rules: (fields, kind) => endpointErrors(fields, rules[kind]),
    reply: { status: 200, message: "Endpoint changed.", data: endpointData },
    problems: [notFound, "webhook_endpoint_exists"],
    handle: ({ body, caller, params, write }) =>
      write(async (tx) => {
        const command = { ...body, id: params.id, ...rules[caller.kind] };
        return { data: presentEndpoint(await changeEndpoint(tx, command)) };
      }),
  });
}

function deleteRoute(): Route {
  return keyRoute({
    ...writes,
    ...oneEndpoint,
    method: "DELETE",
    operationId: "deleteWebhookEndpoint",
    summary: "Delete a webhook endpoint",
    description: "Nothing more is sent to it. The log of its deliveries stays.",
    reply: { status: 200, message: "Endpoint deleted.", data: deletedEndpoint },
    problems: [notFound],
    handle: ({ params, write }) =>
      write(async (tx) => {
        await deleteEndpoint(tx, params.id);
        return { data: { id: params.id, deleted: true as const } };
      }),
  });
}

function rotateRoute(sealer: Sealer): Route {
  return keyRoute({
    ...writes,
    method: "POST",
    path: "/webhooks/endpoints/{id}/rotate-secret",
    operationId: "rotateWebhookSecret",
    params: IdParams,
    summary: "Rotate a webhook secret",
    description:
      "Gives the endpoint a new secret. During the overlap (a day unless you choose) each message is signed with both secrets, so that your receiver can switch without missing one.",
    body: rotateSecretBody,
    reply: {
      status: 200,
      message: "Secret rotated. Keep the new one now: it is not shown again.",
      data: endpointWithSecret,
    },
    problems: [notFound],
    handle: ({ body, params, write }) =>
      write(async (tx) => {
        const { endpoint, secret } = await rotateEndpointSecret(tx, { ...body, id: params.id, sealer });
        return { data: { ...presentEndpoint(endpoint), secret } };
      }),
  });
}

function testRoute(): Route {
  return keyRoute({
    ...writes,
    method: "POST",
    path: "/webhooks/endpoints/{id}/test",
    operationId: "testWebhookEndpoint",
    withoutProof: true,
    params: IdParams,
    summary: "Send a test event",
    description:
      "Sends the event webhook.test to this endpoint only, whatever events it asks for. GET /events/{id}/deliveries shows how it went.",
    reply: { status: 202, message: "Test event on its way.", data: sentTest },
    problems: [notFound, "webhook_endpoint_disabled"],
    handle: ({ params, write }) =>
      write(async (tx) => ({ data: { eventId: await testEndpoint(tx, params.id), event: testEvent } })),
  });
}
