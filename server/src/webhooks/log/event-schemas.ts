import { type Static, Type } from "typebox";
import type { EnvironmentKind } from "../../platform/database/database.ts";
import { named } from "../../platform/http/named-schema.ts";
import { EnvironmentWord, Id, Nullable, OneOf, Timestamp, Uuid } from "../../platform/http/wire.ts";
import { pageQuery } from "../../platform/records/pagination.ts";
import { spanFields } from "../../platform/time/time-span.ts";
import { deliveryStatuses } from "../deliveries/delivery.ts";
import type { LoggedDelivery } from "../deliveries/delivery-log-store.ts";
import { writeCursor } from "./feed.ts";
import { presentEvent } from "./present-event.ts";
import type { FeedPage } from "./read-feed.ts";

export function eventsQuery(eventNames: readonly string[]) {
  return Type.Object({
    event: Type.Optional(OneOf(eventNames, { description: "Only events of this name." })),
    status: Type.Optional(
      OneOf(deliveryStatuses, { description: "Only events with a delivery in this state to one of your endpoints." }),
    ),
    ...spanFields,
    ...pageQuery.properties,
  });
}

export const eventData = named(
  "Event",
  Type.Object({
    id: Uuid,
    event: Type.String({ description: "What happened.", examples: ["transfer.completed"] }),
    created_at: Timestamp,
    environment: EnvironmentWord,
    resource_version: Type.Integer({ description: "Counts the changes of the record.", examples: [3] }),
    data: Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: "object",
      additionalProperties: true,
      description: "The record as GET showed it at that moment; see the webhooks for the fields of each event.",
      examples: [{ id: "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11", status: "completed" }],
    }),
  }),
);

const endpointId = Id(
  "Only to this endpoint, also if it did not ask for such events. Without it, to every endpoint that did.",
);

export const redeliverBody = Type.Object({ endpointId: Type.Optional(endpointId) }, { examples: [{}] });

export function redeliverRangeBody(eventNames: readonly string[]) {
  return Type.Object(
    {
      from: Type.String({ format: "moment", maxLength: 40, description: "From this moment or date on." }),
      to: Type.String({ format: "moment", maxLength: 40, description: "Before this moment, or with this date." }),
      events: Type.Optional(
        Type.Array(OneOf(eventNames), { minItems: 1, maxItems: 100, description: "Only events of these names." }),
      ),
      endpointId: Type.Optional(endpointId),
    },
    { examples: [{ from: "2026-11-01T08:00:00.000Z", to: "2026-11-01T10:00:00.000Z" }] },
  );
}

export const redeliveredData = named(
  "Redelivery",
  Type.Object({
    events: Type.Integer({ description: "How many events are on their way to endpoints again.", examples: [1] }),
    deliveries: Type.Integer({ description: "The number of deliveries, over all endpoints.", examples: [2] }),
  }),
);

export const deliveryData = named(
  "Delivery",
  Type.Object({
    endpointId: Uuid,
    url: Type.String({ examples: ["https://example.com/jara"] }),
    status: OneOf(deliveryStatuses, {
      description:
        "`held`: the endpoint is disabled; send it again later. `failed`: the last try failed. `cancelled`: the endpoint was deleted.",
      examples: ["delivered"],
    }),
    attemptCount: Type.Integer({ description: "Tries since it began, or was sent again.", examples: [1] }),
    nextAttemptAt: Nullable(Type.String({ ...Timestamp, examples: [null] })),
    completedAt: Nullable(Timestamp),
    attempts: Type.Array(
      Type.Object({
        at: Timestamp,
        sentAt: Type.String({ ...Timestamp, description: "The same moment in real time, as the receiver saw it." }),
        status: Nullable(Type.Integer({ description: "The HTTP status; null when no answer came.", examples: [200] })),
        durationMs: Type.Integer({ examples: [48] }),
        response: Type.String({ description: "The first 2 KiB of the answer.", examples: ["ok"] }),
        error: Nullable(Type.String({ description: "Why no answer came.", examples: [null] })),
      }),
      { description: "Newest first." },
    ),
  }),
);

export function presentDelivery(delivery: LoggedDelivery): Static<typeof deliveryData> {
  return {
    endpointId: delivery.endpointId,
    url: delivery.url,
    status: delivery.status,
    attemptCount: delivery.attempts,
    nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
    completedAt: delivery.completedAt?.toISOString() ?? null,
    attempts: delivery.log.map(({ at, sentAt, status, durationMs, body, error }) => ({
      at: at.toISOString(),
      sentAt: sentAt.toISOString(),
      status,
      durationMs,
      response: body,
      error,
    })),
  };
}

export const feedQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        "The cursor of the last reply, or `latest` to begin with what happens from now on. Without it the feed begins with the first event.",
      examples: ["MS8wMTkzMGI2ZS03YzVhLTdlNTEtOWE1MS0yZjZmMWYwZjdiMTE"],
    }),
  ),
  include: Type.Optional(
    OneOf(["resends"], {
      description:
        "`resends`: an event also comes each time that somebody has it sent again, and `places` tells which ones do. Without it every event comes once.",
      examples: ["resends"],
    }),
  ),
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 30,
      default: 0,
      description: "How many seconds to wait for the next event when there is none yet.",
      examples: [20],
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 100, description: "How many events a reply holds at most." }),
  ),
});

export function streamQuery(eventNames: readonly string[]) {
  return Type.Object({
    event: Type.Optional(OneOf(eventNames, { description: "Only events of this name." })),
    after: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          "The last id that you have seen; `Last-Event-ID` goes before it. Without both it begins with what happens from now on.",
        examples: ["MS8wMTkzMGI2ZS03YzVhLTdlNTEtOWE1MS0yZjZmMWYwZjdiMTE"],
      }),
    ),
  });
}

export const feedData = named(
  "EventFeed",
  Type.Object({
    events: Type.Array(eventData),
    cursor: Type.String({
      description: "Send it as `after` next time. It stays valid when the reply has no events.",
      examples: ["MS8wMTkzMGI2ZS03YzVhLTdlNTEtOWE1MS0yZjZmMWYwZjdiMTE"],
    }),
    hasMore: Type.Boolean({ description: "More events are waiting: ask again at once." }),
    places: Type.Optional(
      Type.Array(
        Type.Object({
          cursor: Type.String({
            description: "Goes on after this event.",
            examples: ["MS8wMTkzMGI2ZS03YzVhLTdlNTEtOWE1MS0yZjZmMWYwZjdiMTEvMA"],
          }),
          resentAt: Nullable(
            Type.String({ ...Timestamp, description: "Null where the event comes for the first time." }),
          ),
        }),
        { description: "With `include=resends` only: one for each of `events`, in their order." },
      ),
    ),
  }),
);

export function presentFeed({ items, cursor, hasMore }: FeedPage, kind: EnvironmentKind, withPlaces: boolean) {
  const events = items.map(({ event }) => presentEvent(event, kind));
  if (!withPlaces) return { events, cursor, hasMore };
  const places = items.map(({ place, resentAt }) => ({
    cursor: writeCursor(place),
    resentAt: resentAt?.toISOString() ?? null,
  }));
  return { events, cursor, hasMore, places };
}
