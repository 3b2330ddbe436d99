import { Type } from "typebox";
import { environmentKinds } from "../merchants/merchant.ts";
import { OneOf, Timestamp, Uuid } from "../platform/http/wire.ts";
import { pageQuery } from "../platform/pagination.ts";
import { spanFields } from "../platform/time-span.ts";

export function eventsQuery(eventNames: readonly string[]) {
  return Type.Object({
    event: Type.Optional(OneOf(eventNames, { description: "Only events of this name." })),
    ...spanFields,
    ...pageQuery.properties,
  });
}

export const eventData = Type.Object({
  id: Uuid,
  event: Type.String({ description: "What happened.", examples: ["transfer.completed"] }),
  created_at: Timestamp,
  environment: OneOf(environmentKinds),
  resource_version: Type.Integer({ description: "Counts the changes of the record.", examples: [3] }),
  data: Type.Unsafe<Readonly<Record<string, unknown>>>({
    type: "object",
    additionalProperties: true,
    description: "The record as GET showed it at that moment; see the webhooks for the fields of each event.",
    examples: [{ id: "01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11", status: "completed" }],
  }),
});

export const feedQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: "The cursor of the last reply. Without it the feed begins with the first event.",
      examples: ["MS8wMTkzMGI2ZS03YzVhLTdlNTEtOWE1MS0yZjZmMWYwZjdiMTE"],
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

export const feedData = Type.Object({
  events: Type.Array(eventData),
  cursor: Type.String({
    description: "Send it as `after` next time. Keep it when there were no events: it is still right.",
    examples: ["MS8wMTkzMGI2ZS03YzVhLTdlNTEtOWE1MS0yZjZmMWYwZjdiMTE"],
  }),
  hasMore: Type.Boolean({ description: "More events are there already: ask again at once." }),
});
