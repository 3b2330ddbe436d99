/** Which connection takes new work: the first of its route that is open for it. Pure. */
import { operatorScope } from "../../platform/database/database.ts";
import type { RailUser } from "../desk.ts";
import type { Port } from "../provider.ts";
import type { Connection } from "./connection.ts";

export interface RouteList {
  /** The operator's scope stands for all live environments. */
  readonly environmentId: string;
  readonly port: Port;
  /** Of bills; empty for everything that has no list of its own. */
  readonly category: string;
  readonly connectionIds: readonly string[];
}

/** The ids that an environment's work goes to, in order. Undefined where no route says anything. */
export function routeFor(
  routes: readonly RouteList[],
  { environmentId, kind }: RailUser,
  port: Port,
  category = "",
): readonly string[] | undefined {
  const listed = (owner: string, named: string) =>
    routes.find((route) => route.environmentId === owner && route.port === port && route.category === named);
  const owners = kind === "LIVE" ? [environmentId, operatorScope] : [environmentId];
  for (const owner of owners) {
    const found = listed(owner, category) ?? listed(owner, "");
    if (found !== undefined) return found.connectionIds;
    // A route that has lists for other categories only sells nothing else.
    if (routes.some((route) => route.environmentId === owner && route.port === port)) return [];
  }
  return undefined;
}

export type Choice = { readonly connection: Connection } | "not_connected" | "closed";

/** `serves` says whether a connection can do this at all, `isWell` whether it answers at the moment. */
export function choose(
  connections: readonly Connection[],
  serves: (connection: Connection) => boolean,
  isWell: (connection: Connection) => boolean,
): Choice {
  const able = connections.filter((connection) => connection.state !== "retired" && serves(connection));
  if (able.length === 0) return "not_connected";
  const open = able.find((connection) => isOpen(connection) && isWell(connection));
  return open === undefined ? "closed" : { connection: open };
}

function isOpen({ state, hold, checksPassed }: Connection): boolean {
  return state === "active" && hold === null && checksPassed;
}
