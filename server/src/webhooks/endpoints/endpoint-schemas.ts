import { Type } from "typebox";
import { named } from "../../platform/http/named-schema.ts";
import { Nullable, OneOf, Timestamp, Uuid } from "../../platform/http/wire.ts";
import { keysOf } from "../../platform/keys-of.ts";
import { defaultOverlapSeconds, disabledReasons, everyEvent, mostEndpoints, testEvent } from "./endpoint.ts";
import { longestUrl } from "./webhook-url.ts";

const longestOverlapSeconds = 7 * 86_400;
const exampleId = "01932c61-2b3c-7d4e-8f50-6a7b8c9d0e1f";
const exampleSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** The house knows the names of events, and this schema does not; the SDK's types name them. */
const eventName = { "x-event": true } as const;

const input = {
  url: Type.String({
    minLength: 1,
    maxLength: longestUrl,
    description: "Where to send events: https and a public host; in a sandbox also http and localhost.",
  }),
  events: Type.Array(Type.String({ maxLength: 100, ...eventName }), {
    minItems: 1,
    maxItems: 100,
    description: `Names of events, or ["${everyEvent}"] for all, also those that are added later.`,
  }),
  description: Nullable(Type.String({ maxLength: 500, description: "For people, to tell endpoints apart." })),
  enabled: Type.Boolean({ description: "A disabled endpoint is sent nothing; its deliveries are kept for replay." }),
};

export const createEndpointBody = named(
  "NewWebhookEndpoint",
  Type.Object(
    {
      url: input.url,
      events: Type.Optional(input.events),
      description: Type.Optional(input.description),
      enabled: Type.Optional(input.enabled),
    },
    {
      examples: [
        {
          url: "https://shop.example.com/webhooks",
          events: ["transfer.completed", "transfer.failed"],
          description: "Payout desk",
        },
      ],
    },
  ),
);

export const changeEndpointBody = named(
  "WebhookEndpointChange",
  Type.Object(
    {
      url: Type.Optional(input.url),
      events: Type.Optional(input.events),
      description: Type.Optional(input.description),
      enabled: Type.Optional(input.enabled),
    },
    { minProperties: 1, examples: [{ events: [everyEvent] }] },
  ),
);

export const rotateSecretBody = Type.Object(
  {
    overlapSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: longestOverlapSeconds,
        default: defaultOverlapSeconds,
        description: "How long messages are signed with the old secret too.",
      }),
    ),
  },
  { examples: [{ overlapSeconds: 3_600 }] },
);

const reasonCodes = keysOf(disabledReasons);

const endpointFields = {
  id: Uuid,
  url: Type.String(),
  description: Nullable(Type.String()),
  events: Type.Array(Type.String(eventName)),
  enabled: Type.Boolean(),
  disabledReason: Nullable(
    Type.Object(
      { code: OneOf(reasonCodes), message: Type.String() },
      { description: "Why nothing is sent: you disabled it, it returned 410, or it failed every time for five days." },
    ),
  ),
  failingSince: Nullable(Type.String({ format: "date-time", description: "Null once a delivery has succeeded." })),
  previousSecretExpiresAt: Nullable(
    Type.String({ format: "date-time", description: "Until when messages carry a second signature." }),
  ),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

const exampleEndpoint = {
  id: exampleId,
  url: "https://shop.example.com/webhooks",
  description: "Payout desk",
  events: ["transfer.completed", "transfer.failed"],
  enabled: true,
  disabledReason: null,
  failingSince: null,
  previousSecretExpiresAt: null,
  createdAt: "2026-11-03T09:15:00.000Z",
  updatedAt: "2026-11-03T09:15:00.000Z",
};

const secret = Type.String({
  description: "Verify messages with it, by the Standard Webhooks specification. Shown only here: keep it now.",
});

export const endpointData = named("WebhookEndpoint", Type.Object(endpointFields, { examples: [exampleEndpoint] }));

export const endpointWithSecret = named(
  "WebhookEndpointWithSecret",
  Type.Object({ ...endpointFields, secret }, { examples: [{ ...exampleEndpoint, secret: exampleSecret }] }),
);

export const deletedEndpoint = named(
  "DeletedWebhookEndpoint",
  Type.Object({ id: Uuid, deleted: Type.Literal(true) }, { examples: [{ id: exampleId, deleted: true }] }),
);

export const sentTest = Type.Object(
  { eventId: Uuid, event: Type.Literal(testEvent) },
  { examples: [{ eventId: "01932c62-3c4d-7e5f-8a60-7b8c9d0e1f2a", event: testEvent }] },
);

export const limitSentence = `At most ${mostEndpoints} in an environment.`;
