import type { Database } from "../platform/database/database.ts";
import type { Logger } from "../platform/logger.ts";
import type { OwedKind } from "../platform/records/owed-kind.ts";
import type { Slice } from "../platform/slice-description.ts";
import { every } from "../platform/work/background-loop.ts";
import { type ConnectionRouteDependencies, connectionRoutes } from "./connections/connection-routes.ts";
import { sealedCredentials } from "./connections/connection-store.ts";
import { connectionProblems } from "./connections/errors.ts";
import { hintRoute } from "./connections/hint-routes.ts";
import { routeRoutes } from "./connections/route-routes.ts";
import { forgetOldHints, type HintDependencies, takeHints } from "./connections/take-hints.job.ts";
import { orderTrace } from "./connections/trace-orders.ts";
import { connectionGauges, type WatchDependencies, watchConnections } from "./connections/watch-connections.job.ts";
import { railProblems } from "./desk.ts";
import { overLimitGauge, owedGauge, reportOwed } from "./owed-outcomes.ts";
import { owedRoutes } from "./owed-routes.ts";

interface RouteNeeds extends OwedNeeds, ConnectionRouteDependencies {}

interface WorkNeeds extends OwedNeeds, HintDependencies, WatchDependencies {}

interface OwedNeeds {
  readonly db: Database;
  readonly log: Logger;
  /** The kinds of orders of all slices. */
  readonly owedKinds: readonly OwedKind[];
}

const reportEveryMs = 60_000;
const forgetEveryMs = 3_600_000;
const watchEveryMs = 30_000;

export const railSlice: Slice<RouteNeeds, WorkNeeds> = {
  queues: { hints: { says: "News from providers that nobody has looked into yet", slowSeconds: 60 } },
  lookupFunctions: {
    "list_owed_orders(text,integer,integer)":
      "An operator sees the orders of all environments that wait for an answer.",
    "list_orders_of_connection(text,uuid,timestamp with time zone,timestamp with time zone,text[],integer)":
      "A provider's list names orders of all environments.",
    "find_order_of_connection(text,uuid,text)": "A provider names an order by our id only.",
    "find_waiting_lanes(text,text,text)": "A worker looks in which environments orders wait.",
    "claim_orders(anyelement,text,uuid[],text[],integer[],integer)":
      "A worker takes up the orders of all environments.",
    "find_idle_orders(text,text,uuid,uuid,integer)":
      "The sweeper looks for orders of any environment that nothing will move.",
  },
  problems: { ...railProblems, ...connectionProblems },
  sealedColumns: [sealedCredentials],
  traces: [orderTrace],
  routes: (needs) => [...owedRoutes(needs), ...connectionRoutes(needs), ...routeRoutes(needs), hintRoute()],
  loops: (needs) => {
    const { db, log, owedKinds } = needs;
    return [
      { name: "owed outcomes", step: every(reportEveryMs, () => reportOwed(db, log, owedKinds)) },
      { name: "hints of providers", step: () => takeHints(needs) },
      { name: "old hints", step: every(forgetEveryMs, () => forgetOldHints(needs)) },
      { name: "watch over connections", step: every(watchEveryMs, () => watchConnections(needs)) },
    ];
  },
  gauges: ({ db, owedKinds, connections }) => [
    ...owedKinds.map((kind) => owedGauge(db, kind)),
    overLimitGauge(db, owedKinds),
    ...connectionGauges(connections),
  ],
};
