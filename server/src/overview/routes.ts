import { findEnvironment } from "../merchants/find-environment.ts";
import { findMerchantName } from "../merchants/find-merchant-name.ts";
import { type Tx, visitEnvironment } from "../platform/database/database.ts";
import { hasScope } from "../platform/http/caller-scope.ts";
import { keyRoute, operatorRoute, type Route } from "../platform/http/route.ts";
import { IdParams } from "../platform/http/wire.ts";
import type { Attention, OverviewSource, Period } from "../platform/records/overview.ts";
import { readPeriod } from "./read-period.ts";
import { overviewData, overviewQuery, placeData, presentAttention } from "./schemas.ts";

export interface OverviewRouteDependencies {
  /** What all slices count. */
  readonly overviews: readonly OverviewSource[];
}

export function overviewRoutes({ overviews }: OverviewRouteDependencies): Route[] {
  return [
    environmentRoute(overviews),
    keyRoute({
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
  return operatorRoute({
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
