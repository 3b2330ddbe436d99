import { Type } from "typebox";
import type { EnvironmentKind, Tx } from "../../platform/database/database.ts";
import { describeRoute, type Route } from "../../platform/http/route.ts";
import { IdParams } from "../../platform/http/wire.ts";
import { recordEvents } from "../../platform/records/outbox.ts";
import { pageOf, pageQuery, paginationOf } from "../../platform/records/pagination.ts";
import type { Sealer } from "../../platform/secrets/crypto.ts";
import { endOpenDeliveries } from "../deliveries/delivery-store.ts";
import { holdEndpoint } from "./disable-endpoint.ts";
import { defaultOverlapSeconds, type Endpoint, everyEvent, mostEndpoints, testEvent } from "./endpoint.ts";
import { type EndpointRules, endpointErrors, readEndpointInput } from "./endpoint-input.ts";
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
import {
  findEndpointRow,
  insertEndpoint,
  lockEndpointRow,
  lockEndpoints,
  markDeleted,
  readEndpoints,
  readSealedSecret,
  replaceSecrets,
  updateEndpoint,
} from "./endpoint-store.ts";
import { webhookProblem } from "./errors.ts";
import { presentEndpoint } from "./present-endpoint.ts";
import { reachPolicyFor, type WebhookReach } from "./reachable-address.ts";
import { makeWebhookSecret, openSecret, sealSecret } from "./webhook-secret.ts";

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
  return describeRoute("key", {
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
  return describeRoute("key", {
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
  return describeRoute("key", {
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
  return describeRoute("key", {
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
  return describeRoute("key", {
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
  return describeRoute("key", {
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
  return describeRoute("key", {
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

async function findEndpoint(tx: Tx, id: string): Promise<Endpoint> {
  const endpoint = await findEndpointRow(tx, id);
  if (endpoint === undefined) throw webhookProblem("webhook_endpoint_not_found");
  return endpoint;
}

/** As findEndpoint; two changes of one endpoint then follow each other. */
async function lockEndpoint(tx: Tx, id: string): Promise<Endpoint> {
  const endpoint = await lockEndpointRow(tx, id);
  if (endpoint === undefined) throw webhookProblem("webhook_endpoint_not_found");
  return endpoint;
}

/** Nothing more is sent there, and nothing can be replayed to it; the log of what was sent stays. */
async function deleteEndpoint(tx: Tx, id: string): Promise<void> {
  await lockEndpoint(tx, id);
  await endOpenDeliveries(tx, id, "cancelled");
  await markDeleted(tx, id);
}

interface ChangeEndpoint extends EndpointRules {
  readonly id: string;
  readonly url?: string;
  readonly events?: readonly string[];
  readonly description?: string | null;
  readonly enabled?: boolean;
}

/** Enabling an endpoint, or giving it another address, wipes its failures out. What was held is sent by a replay. */
async function changeEndpoint(tx: Tx, command: ChangeEndpoint): Promise<Endpoint> {
  // Before the endpoint's own row: two that change places must not wait for each other.
  if (command.url !== undefined) await lockEndpoints(tx);
  const endpoint = await lockEndpoint(tx, command.id);
  const input = readEndpointInput(command, command);
  if (input.url !== undefined && input.url !== endpoint.url) refuseKnownUrl(await readEndpoints(tx), input.url);
  const enabled = command.enabled ?? endpoint.enabled;
  const startsAnew = (enabled && !endpoint.enabled) || (input.url !== undefined && input.url !== endpoint.url);
  const changed: Endpoint = {
    ...endpoint,
    ...input,
    description: command.description === undefined ? endpoint.description : command.description,
    failingSince: startsAnew ? null : endpoint.failingSince,
    enabled,
    disabledReason: enabled ? null : endpoint.disabledReason,
  };
  return endpoint.enabled && !enabled ? holdEndpoint(tx, changed, "merchant") : updateEndpoint(tx, changed);
}

interface CreateEndpoint extends EndpointRules {
  readonly url: string;
  readonly events?: readonly string[];
  readonly description?: string | null;
  readonly enabled?: boolean;
  readonly sealer: Sealer;
}

/** The secret of the answer is shown nowhere else. */
export async function createEndpoint(
  tx: Tx,
  command: CreateEndpoint,
): Promise<{ readonly endpoint: Endpoint; readonly secret: string }> {
  const { url = command.url, events = [everyEvent] } = readEndpointInput(command, command);
  await lockEndpoints(tx);
  const others = await readEndpoints(tx);
  refuseKnownUrl(others, url);
  if (others.length >= mostEndpoints) throw webhookProblem("webhook_endpoint_limit");
  const { clock, id: environmentId } = tx.environment;
  const now = clock.now();
  const enabled = command.enabled ?? true;
  const endpoint: Endpoint = {
    id: clock.newId(),
    url,
    description: command.description ?? null,
    events,
    enabled,
    disabledReason: enabled ? null : "merchant",
    failingSince: null,
    previousSecretUntil: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  const secret = makeWebhookSecret();
  const owner = { environmentId, endpointId: endpoint.id };
  await insertEndpoint(tx, endpoint, sealSecret(command.sealer, owner, "current", secret));
  return { endpoint, secret };
}

/**
 * Two endpoints with one address would receive every event twice, and a merchant who sets a server up again would not
 * notice. A disabled endpoint counts: it can be enabled. A deleted one is not among the others any more.
 */
function refuseKnownUrl(others: readonly Endpoint[], url: string): void {
  const known = others.find((other) => other.url === url);
  if (known !== undefined) throw webhookProblem("webhook_endpoint_exists", { data: { endpointId: known.id } });
}

interface RotateSecret {
  readonly id: string;
  readonly overlapSeconds?: number;
  readonly sealer: Sealer;
}

/** Both secrets sign during the overlap. A rotation within it drops the older of the two at once. */
async function rotateEndpointSecret(
  tx: Tx,
  { id, overlapSeconds = defaultOverlapSeconds, sealer }: RotateSecret,
): Promise<{ readonly endpoint: Endpoint; readonly secret: string }> {
  await lockEndpoint(tx, id);
  const owner = { environmentId: tx.environment.id, endpointId: id };
  const sealed = await readSealedSecret(tx, id);
  const secret = makeWebhookSecret();
  const overlaps = sealed !== null && overlapSeconds > 0;
  const endpoint = await replaceSecrets(tx, id, {
    sealed: sealSecret(sealer, owner, "current", secret),
    // Bound to its column, it is sealed again for the other.
    sealedPrevious: overlaps
      ? sealSecret(sealer, owner, "previous", openSecret(sealer, owner, "current", sealed))
      : null,
    overlapSeconds: overlaps ? overlapSeconds : null,
  });
  return { endpoint, secret };
}

/** An event about the endpoint itself, which goes to it alone, whatever it asks for. Returns the event's id. */
async function testEndpoint(tx: Tx, id: string): Promise<string> {
  const endpoint = await findEndpoint(tx, id);
  if (!endpoint.enabled) throw webhookProblem("webhook_endpoint_disabled");
  const [eventId] = await recordEvents(tx, [
    {
      event: testEvent,
      resourceType: "webhook_endpoint",
      resourceId: id,
      resourceVersion: endpoint.version,
      data: presentEndpoint(endpoint),
    },
  ]);
  if (eventId === undefined) throw new Error("the test event was not written");
  return eventId;
}
