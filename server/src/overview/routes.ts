import { type TSchema, Type } from "typebox";
import { findEnvironment } from "../merchants/find-environment.ts";
import { findMerchantName } from "../merchants/read-merchants.ts";
import { nairaNumber } from "../money/kobo.ts";
import { type Tx, visitEnvironment } from "../platform/database/database.ts";
import { hasScope } from "../platform/http/caller.ts";
import { named } from "../platform/http/named-schema.ts";
import { describeRoute, type Route } from "../platform/http/route.ts";
import { EnvironmentWord, IdParams, NairaNumber, Nullable, OneOf, Timestamp, Uuid } from "../platform/http/wire.ts";
import { commonProblem } from "../platform/problem.ts";
import {
  type Attention,
  mostAttentionItems,
  type OverviewSource,
  type Period,
  type StepWidth,
  stepWidths,
} from "../platform/records/overview.ts";
import { stepStart } from "../platform/time/period-steps.ts";
import { parseSpan, spanFields } from "../platform/time/time-span.ts";

/** Which period an overview is asked for, and whether it is short enough to be summed up at once. */
const dayMs = 86_400_000;

/** How many days a period has at most, and unless a caller says otherwise. */
export const mostDays = { day: 92, hour: 7 } as const satisfies Record<StepWidth, number>;
export const usualDays = { day: 30, hour: 1 } as const satisfies Record<StepWidth, number>;

interface PeriodQuery {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly by?: StepWidth | undefined;
}

/** Up to `now` unless told otherwise. Throws validation_failed for a period that is too long. */
export function readPeriod({ by = "day", ...query }: PeriodQuery, now: Date): Period {
  const asked = parseSpan(query);
  const to = asked.to ?? (asked.from !== null && asked.from > now ? asked.from : now);
  const from = asked.from ?? stepStart(new Date(to.getTime() - (usualDays[by] - (by === "day" ? 1 : 0)) * dayMs), by);
  if (to.getTime() - from.getTime() > mostDays[by] * dayMs) {
    const message = `must be at most ${mostDays[by]} days before to, by the ${by}`;
    throw commonProblem("validation_failed", { errors: [{ field: "from", message }] });
  }
  return { from, to, by };
}

export interface OverviewRouteDependencies {
  /** What all slices count. */
  readonly overviews: readonly OverviewSource[];
}

export function overviewRoutes({ overviews }: OverviewRouteDependencies): Route[] {
  return [
    environmentRoute(overviews),
    describeRoute("key", {
      method: "GET",
      path: "/overview",
      operationId: "getOverview",
      tag: "Overview",
      summary: "Read the figures of a period",
      description:
        "Balances, money in and out of the main wallet, payouts, bills and loans of a period, and what needs attention now. Days are those of Lagos. You see the parts that the key's scopes may read.",
      scope: "overview:read",
      query: overviewQuery,
      reply: { status: 200, message: "Overview retrieved", data: overviewData(overviews) },
      handle: ({ query, caller, read }) => {
        const allowed = overviews.filter(({ scope }) => hasScope(caller, scope));
        return read(async (tx) => ({ data: await readOverview(tx, allowed, query) }));
      },
    }),
  ];
}

function environmentRoute(overviews: readonly OverviewSource[]): Route {
  return describeRoute("operator", {
    method: "GET",
    path: "/operator/environments/{id}",
    operationId: "getEnvironment",
    tag: "Operator",
    summary: "Read an environment",
    description:
      "Whose it is, its clock, and the figures of its last 30 days as its merchant sees them: balances, endpoints, and work that waits.",
    params: IdParams,
    reply: { status: 200, message: "Environment retrieved.", data: placeData(overviews) },
    problems: ["environment_not_found"],
    handle: ({ params, read }) =>
      read(async (tx) => {
        const environment = await findEnvironment(tx, params.id);
        return visitEnvironment(tx, environment.id, async (inside) => {
          const { clock } = inside.environment;
          const told = {
            merchantName: await findMerchantName(inside),
            clock: { mode: clock.mode, now: clock.now().toISOString() },
            overview: await readOverview(inside, overviews, {}),
          };
          return { data: { ...environment, ...told, createdAt: environment.createdAt.toISOString() } };
        });
      }),
  });
}

async function readOverview(tx: Tx, sources: readonly OverviewSource[], query: Parameters<typeof readPeriod>[0]) {
  const period: Period = readPeriod(query, tx.environment.clock.now());
  const parts: Record<string, unknown> = {};
  const attention: Attention[] = [];
  for (const { part, read } of sources) {
    const told = await read(tx, period);
    if (part !== null) parts[part.name] = told.figures;
    attention.push(...told.attention);
  }
  const { from, to, by } = period;
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    by,
    ...parts,
    attention: attention.sort(oldestFirst).map(presentAttention),
  };
}

/** What has waited for no time at all, such as a low wallet, is said first. */
function oldestFirst(a: Attention, b: Attention): number {
  return (a.since?.getTime() ?? 0) - (b.since?.getTime() ?? 0);
}

export const overviewQuery = Type.Object({
  ...spanFields,
  by: Type.Optional(
    OneOf(stepWidths, {
      description: `How wide the steps are. A period has at most ${mostDays.day} days by the day and ${mostDays.hour} by the hour; without \`from\` it has ${usualDays.day}, or 24 hours.`,
      examples: ["day"],
    }),
  ),
});

const attentionData = named(
  "Attention",
  Type.Object({
    kind: Type.String({ examples: ["payouts_waiting"] }),
    title: Type.String({ description: "A sentence for people.", examples: ["2 payouts wait for the bank's answer."] }),
    count: Type.Integer({ examples: [2] }),
    since: Nullable(Type.String({ ...Timestamp, description: "Since when the oldest waits." })),
    amount: Nullable(NairaNumber),
    items: Type.Array(
      Type.Object({
        id: Type.String({ examples: ["01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11"] }),
        title: Type.String({ examples: ["payout-1042"] }),
        since: Nullable(Timestamp),
      }),
      { description: `The oldest; at most ${mostAttentionItems}.` },
    ),
  }),
);

/** A part for every slice that has figures; a key without the part's scope does not get it. */
export function overviewData(sources: readonly OverviewSource[]) {
  const parts: Record<string, TSchema> = {};
  for (const { part } of sources) if (part !== null) parts[part.name] = Type.Optional(part.schema);
  return Type.Unsafe<Readonly<Record<string, unknown>>>(
    named(
      "Overview",
      Type.Object({
        from: Timestamp,
        to: Timestamp,
        by: OneOf(stepWidths),
        ...parts,
        attention: Type.Array(attentionData, { description: "What a person should look at now; the oldest first." }),
      }),
    ),
  );
}

/** An environment as its operator sees it. */
function placeData(sources: readonly OverviewSource[]) {
  return Type.Object({
    id: Uuid,
    merchantId: Uuid,
    merchantName: Type.String({ description: "As its customers know it.", examples: ["Mama Put Foods"] }),
    kind: EnvironmentWord,
    name: Type.String({ examples: ["Staging"] }),
    createdAt: Timestamp,
    clock: Type.Object({ mode: OneOf(["running", "frozen"]), now: Timestamp }),
    overview: overviewData(sources),
  });
}

export function presentAttention({ amount, since, items, ...told }: Attention) {
  return {
    ...told,
    since: since?.toISOString() ?? null,
    amount: amount === null ? null : nairaNumber(amount),
    items: items.map((item) => ({ ...item, since: item.since?.toISOString() ?? null })),
  };
}
