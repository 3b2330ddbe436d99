/** Every payment without an outcome, of whatever kind, in one list. */

import { type Static, Type } from "typebox";
import { nairaNumber } from "../money/kobo.ts";
import type { Database } from "../platform/database/database.ts";
import { named } from "../platform/http/named-schema.ts";
import { describeRoute, type Route } from "../platform/http/route.ts";
import { EnvironmentWord, NairaNumber, Nullable, OneOf, Timestamp, Uuid } from "../platform/http/wire.ts";
import type { OwedKind, RegulatorsClock } from "../platform/records/owed-kind.ts";
import { type KnownConnections, presentRail, railData } from "./order-at-rail.ts";
import { listOwed, type OwedOutcome } from "./owed-store.ts";

function unknownData(kinds: readonly OwedKind[]) {
  const fields = Object.assign({}, ...kinds.map((kind) => kind.fields)) as OwedKind["fields"];
  const further = Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)] as const);
  return named(
    "UnknownOutcome",
    Type.Object({
      type: OneOf(kinds.map(({ type }) => type)),
      id: Uuid,
      environmentId: Uuid,
      environment: EnvironmentWord,
      reference: Type.String({ examples: ["payout-1042"] }),
      amount: NairaNumber,
      queries: Type.Integer({ description: "How often the rail was asked since.", examples: [7] }),
      sentAt: Timestamp,
      ageSeconds: Type.Number({ examples: [4210.5] }),
      clocks: Type.Array(
        Type.Object({
          name: Type.String({ description: "What must have happened by then.", examples: ["returned"] }),
          seconds: Type.Integer({ examples: [600] }),
          over: Type.Boolean({ description: "The payment is older than that." }),
        }),
        { description: "The regulator's limits for this kind of payment, the soonest first." },
      ),
      rail: Nullable(railData),
      ...Object.fromEntries(further),
    }),
  );
}

const unknownsQuery = Type.Object({
  olderThan: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 31_536_000, default: 60, description: "Seconds since the payment was sent." }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 100, description: "At most this many." })),
});

export interface OwedRouteDependencies {
  readonly db: Database;
  readonly owedKinds: readonly OwedKind[];
  readonly connections: KnownConnections;
}

export function owedRoutes({ db, owedKinds: kinds, connections }: OwedRouteDependencies): Route[] {
  return [
    describeRoute("operator", {
      method: "GET",
      path: "/operator/unknowns",
      operationId: "listUnknowns",
      tag: "Operator",
      summary: "List payments without an outcome",
      description:
        "Every payment of every environment that was sent to a rail and has no outcome yet, oldest first. We ask the rail again at growing intervals, at most a quarter of an hour apart; after a day, every hour. `rail` says with which provider it is, and by what that one knows it.",
      query: unknownsQuery,
      reply: { status: 200, message: "Unknown outcomes retrieved.", data: Type.Array(unknownData(kinds)) },
      handle: async ({ query }) => {
        const question = { olderThanSeconds: query.olderThan ?? 60, limit: query.limit ?? 100 };
        const ofKinds = await Promise.all(kinds.map((kind) => listOwed(db, kind, question)));
        const oldest = ofKinds
          .flat()
          .sort((one, other) => other.ageSeconds - one.ageSeconds)
          .slice(0, question.limit);
        const clocks = new Map(kinds.map((kind) => [kind.type, kind.clocks]));
        const present = (unknown: OwedOutcome) => presentUnknown(connections, unknown, clocks.get(unknown.type) ?? []);
        return { data: await Promise.all(oldest.map(present)) };
      },
    }),
  ];
}

async function presentUnknown(
  connections: KnownConnections,
  { detail, amount, sentAt, rail, ...unknown }: OwedOutcome,
  clocks: readonly RegulatorsClock[],
): Promise<Static<ReturnType<typeof unknownData>>> {
  return {
    ...unknown,
    ...detail,
    amount: nairaNumber(amount),
    sentAt: sentAt.toISOString(),
    clocks: clocks.map((clock) => ({ ...clock, over: unknown.ageSeconds > clock.seconds })),
    rail: rail && (await presentRail(connections, rail)),
  };
}
