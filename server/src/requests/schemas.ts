import { type Static, Type } from "typebox";
import { named } from "../platform/http/named-schema.ts";
import { Nullable, OneOf, Timestamp, Uuid } from "../platform/http/wire.ts";
import { pageQuery } from "../platform/records/pagination.ts";
import { spanFields } from "../platform/time/time-span.ts";
import type { LoggedRequest } from "./request-store.ts";

const filterFields = {
  status: Type.Optional(
    Type.String({
      pattern: "^([1-5]\\d\\d|[1-5]xx)$",
      description: "Only replies with this status, or of this kind: `422`, `4xx`.",
      examples: ["4xx"],
    }),
  ),
  method: Type.Optional(OneOf(["GET", "POST", "PUT", "PATCH", "DELETE"], { description: "Only this method." })),
  path: Type.Optional(
    Type.String({ maxLength: 200, description: "Only paths that begin so.", examples: ["/transfers"] }),
  ),
};

export const requestsQuery = Type.Object({ ...filterFields, ...spanFields, ...pageQuery.properties });

const body = (whose: string) =>
  Nullable(
    Type.String({
      description: `${whose}, with secrets and personal data masked, at most 4 KiB. Sandboxes only, and not while many requests come at once.`,
      examples: ['{"amount":2500}'],
    }),
  );

export const requestData = named(
  "LoggedRequest",
  Type.Object({
    id: Type.String({ description: "The X-Request-Id of the reply.", examples: ["req_8Zk2mQ0xLw1"] }),
    at: Type.String({ ...Timestamp, description: "When it came, in real time." }),
    method: Type.String({ examples: ["POST"] }),
    route: Type.String({ description: "The path as the reference writes it.", examples: ["/transfers"] }),
    path: Type.String({ examples: ["/transfers"] }),
    status: Type.Integer({ examples: [201] }),
    code: Nullable(Type.String({ description: "Of a refusal.", examples: [null] })),
    durationMs: Type.Integer({ examples: [12] }),
    keyId: Uuid,
    keyPrefix: Nullable(Type.String({ examples: ["sk_test_1a2b"] })),
    idempotencyKey: Nullable(Type.String({ description: "The header of that name.", examples: ["order-1042"] })),
    userAgent: Nullable(Type.String({ description: "The header of that name.", examples: ["jara-sdk/0.3.0"] })),
    warning: Nullable(Type.String({ description: "The Jara-Warning of the reply.", examples: [null] })),
    replayed: Type.Boolean({ description: "The reply of an earlier request was sent again." }),
    recordId: Nullable(Type.String({ ...Uuid, description: "What a write made or changed: trace it." })),
    requestBody: body("What was sent"),
    responseBody: body("What was returned"),
  }),
);

export function presentRequest(logged: LoggedRequest): Static<typeof requestData> {
  const { requestId, at, clockAt: _, position: __, ...rest } = logged;
  return { id: requestId, at: at.toISOString(), ...rest };
}

export const requestParams = Type.Object({
  id: Type.String({
    pattern: "^[\\w.:-]{1,128}$",
    description: "The X-Request-Id of the reply.",
    examples: ["req_8Zk2mQ0xLw1"],
  }),
});

const cursor = { pattern: "^(latest|\\d{1,18})$", examples: ["4711"] };

export const requestFeedQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      ...cursor,
      description:
        "The cursor of the last reply, or `latest`. Without it the feed begins with the oldest that is kept.",
    }),
  ),
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 30,
      default: 0,
      description: "How many seconds to wait for the next.",
      examples: [20],
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 100, description: "How many requests a reply holds at most." }),
  ),
});

export const requestFeedData = named(
  "RequestFeed",
  Type.Object({
    requests: Type.Array(requestData),
    cursor: Type.String({ ...cursor, description: "Send it as `after` next time." }),
    hasMore: Type.Boolean({ description: "More are waiting: ask again at once." }),
  }),
);
