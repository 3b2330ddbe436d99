/** Every payment without an outcome, of whatever kind, in one list. */

import { type Static, Type } from "typebox";
import { nairaNumber } from "../money/kobo.ts";
import type { Database } from "../platform/database/database.ts";
import { named } from "../platform/http/named-schema.ts";
import { operatorRoute, type Route } from "../platform/http/route.ts";
import { EnvironmentWord, NairaNumber, OneOf, Timestamp, Uuid } from "../platform/http/wire.ts";
import { listOwed, type OwedKind, type OwedOutcome, owedTypes } from "./owed-outcomes.ts";

const ofTransfers = (example: string) => Type.Optional(Type.String({ description: "Transfers.", examples: [example] }));
const ofBills = (example: string) => Type.Optional(Type.String({ description: "Bills.", examples: [example] }));

const unknownData = named(
  "UnknownOutcome",
  Type.Object({
    type: OneOf(owedTypes),
    id: Uuid,
    environmentId: Uuid,
    environment: EnvironmentWord,
    reference: Type.String({ examples: ["payout-1042"] }),
    amount: NairaNumber,
    bankCode: ofTransfers("044"),
    bankName: ofTransfers("Access Bank"),
    sessionId: ofTransfers("999001261103101500000000000042"),
    category: ofBills("electricity"),
    provider: ofBills("ikeja-electric"),
    catalogueVersion: Type.Optional(Type.Integer({ description: "Bills: what priced it.", examples: [3] })),
    loanId: Type.Optional(Type.String({ format: "uuid", description: "Card charges: the loan that they are for." })),
    queries: Type.Integer({ description: "How often the rail was asked since.", examples: [7] }),
    sentAt: Timestamp,
    ageSeconds: Type.Number({ examples: [4210.5] }),
  }),
);

const unknownsQuery = Type.Object({
  olderThan: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 31_536_000, default: 60, description: "Seconds since the payment was sent." }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 100, description: "At most this many." })),
});

export function owedRoutes(db: Database, kinds: readonly OwedKind[]): Route[] {
  return [
    operatorRoute({
      method: "GET",
      path: "/operator/unknowns",
      operationId: "listUnknowns",
      tag: "Operator",
      summary: "List payments without an outcome",
      description:
        "Payouts, bills and card charges of all environments that were sent and whose outcome is still owed, the oldest first. They are asked about at growing distances, a quarter of an hour at most.",
      query: unknownsQuery,
      reply: { status: 200, message: "Unknown outcomes retrieved.", data: Type.Array(unknownData) },
      handle: async ({ query }) => {
        const question = { olderThanSeconds: query.olderThan ?? 60, limit: query.limit ?? 100 };
        const found = (await Promise.all(kinds.map((kind) => listOwed(db, kind, question)))).flat();
        const oldest = found.sort((one, other) => other.ageSeconds - one.ageSeconds).slice(0, question.limit);
        return { data: oldest.map(presentUnknown) };
      },
    }),
  ];
}

function presentUnknown({ detail, amount, sentAt, ...unknown }: OwedOutcome): Static<typeof unknownData> {
  return { ...unknown, ...detail, amount: nairaNumber(amount), sentAt: sentAt.toISOString() };
}
