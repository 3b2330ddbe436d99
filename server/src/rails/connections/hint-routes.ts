import { Type } from "typebox";
import { named } from "../../platform/http/named-schema.ts";
import { describeRoute, type Route } from "../../platform/http/route.ts";
import { IdParams, Nullable, OneOf, Timestamp, Uuid } from "../../platform/http/wire.ts";
import { requireConnection } from "./connect-provider.ts";
import { listHints } from "./hint-store.ts";
import { portWord } from "./schemas.ts";

const hintData = named(
  "RailHint",
  Type.Object({
    id: Uuid,
    receivedAt: Timestamp,
    event: Type.String({ description: "As the provider calls it.", examples: ["transfer.success"] }),
    port: portWord,
    orderId: Type.String({
      description: "By which the provider knows the order.",
      examples: ["999001261103101500000000000042"],
    }),
    outcome: OneOf(["waiting", "not_ours", "asked", "agrees", "taken_back", "lender_short", "disagrees", "given_up"], {
      description:
        "asked: the order was open and was asked about, or money that came in was booked. agrees: the provider says what our books say. taken_back: what was done came back. lender_short: a charge was taken back and the lender's funds do not cover it; put money in, and it is booked within the hour. disagrees: look at both books. not_ours: no order of this connection. given_up: the provider gave no clear answer ten times; ask it yourself.",
    }),
    doneAt: Nullable(Timestamp),
  }),
);

export function hintRoute(): Route {
  return describeRoute("operator", {
    method: "GET",
    path: "/operator/connections/{id}/hints",
    operationId: "listHints",
    tag: "Operator",
    summary: "List what a provider's webhooks led to",
    description:
      "The newest 200. A webhook is never believed: it only makes us ask the provider about the order, and the outcome here is that of our own question.",
    params: IdParams,
    reply: { status: 200, message: "Hints retrieved.", data: Type.Array(hintData) },
    problems: ["connection_not_found"],
    handle: (request) =>
      request.read(async (tx) => {
        const { id } = await requireConnection(tx, request.params.id);
        const hints = await listHints(tx, id, 200);
        const data = hints.map(({ receivedAt, doneAt, ...hint }) => ({
          id: hint.id,
          event: hint.event,
          port: hint.port,
          orderId: hint.orderId,
          outcome: hint.outcome as "asked",
          receivedAt: receivedAt.toISOString(),
          doneAt: doneAt?.toISOString() ?? null,
        }));
        return { data };
      }),
  });
}
