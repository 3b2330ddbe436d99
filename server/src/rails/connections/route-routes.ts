/** Which connections serve a port: for all live environments, or for one environment. */
import { type Static, Type } from "typebox";
import { type EnvironmentKind, operatorScope, type Tx } from "../../platform/database/database.ts";
import { named } from "../../platform/http/named-schema.ts";
import { describeRoute, type Route, type RouteRequest } from "../../platform/http/route.ts";
import { Id, Nullable, PathId, Uuid } from "../../platform/http/wire.ts";
import { commonProblem } from "../../platform/problem.ts";
import { originOf, recordAudit } from "../../platform/records/audit.ts";
import { billCategories } from "../biller.ts";
import { portInPath } from "../port-in-path.ts";
import type { Port } from "../provider.ts";
import type { RouteList } from "./choose-connection.ts";
import { ports } from "./connection.ts";
import type { ConnectionBook } from "./connection-book.ts";
import { findServed, listConnections, listRoutes, replaceRoutes } from "./connection-store.ts";
import { connectionProblem } from "./errors.ts";
import { portWord } from "./schemas.ts";

const list = Type.Array(Id("A connection, from GET /operator/connections."), { maxItems: 20 });

const routeBody = Type.Object(
  {
    connections: list,
    categories: Type.Optional(
      Type.Object(Object.fromEntries(billCategories.map((category) => [category, Type.Optional(list)])), {
        description: "Of bills: lists that take the place of connections for a category.",
      }),
    ),
  },
  { examples: [{ connections: ["01930b6e-7c5a-7e51-9a51-2f6f1f0f7b11"] }] },
);

const routeData = named(
  "RailRoute",
  Type.Object({
    environmentId: Nullable({ ...Uuid, description: "Null for all live environments." }),
    port: portWord,
    connections: Type.Array(Uuid, { description: "In order: the first that is open takes a new order." }),
    categories: Type.Record(Type.String(), Type.Array(Uuid)),
  }),
);

/** A word that is no port is a mistake of form; in a path the schema would call it nobody's id. */
const inPath = portInPath(ports);

export interface RouteRouteDependencies {
  readonly connections: ConnectionBook;
}

export function routeRoutes(deps: RouteRouteDependencies): Route[] {
  return [listRoute(), putRoute(deps), putEnvironmentRoute(deps)];
}

function listRoute(): Route {
  return describeRoute("operator", {
    method: "GET",
    path: "/operator/routes",
    operationId: "listRoutes",
    tag: "Operator",
    summary: "List routes",
    description: "Those for all live environments first, then those of single environments.",
    reply: { status: 200, message: "Routes retrieved.", data: Type.Array(routeData) },
    handle: (request) => request.read(async (tx) => ({ data: presentRoutes(await listRoutes(tx)) })),
  });
}

const problems = ["connection_not_found", "connection_mode_mismatch", "connection_port_refused"] as const;

function putRoute(deps: RouteRouteDependencies): Route {
  return describeRoute("operator", {
    method: "PUT",
    path: "/operator/routes/{port}",
    operationId: "setRoute",
    tag: "Operator",
    summary: "Set the route of all live environments",
    description:
      "Which connections serve a port, in order. A new order goes to the first that is active, not held and well; an order that has been sent stays with its connection whatever is set here. An empty list takes the route away.",
    params: Type.Object({ port: inPath.schema }),
    body: routeBody,
    reply: { status: 200, message: "Route set.", data: routeData },
    problems,
    handle: (request) =>
      put(deps, request, { environmentId: operatorScope, kind: "LIVE", port: inPath.read(request.params.port) }),
  });
}

function putEnvironmentRoute(deps: RouteRouteDependencies): Route {
  return describeRoute("operator", {
    method: "PUT",
    path: "/operator/environments/{id}/routes/{port}",
    operationId: "setEnvironmentRoute",
    tag: "Operator",
    summary: "Set the route of one environment",
    description:
      "Takes the place of the route of all live environments. A sandbox with a route plays with the provider's test mode instead of the simulation; a sandbox whose clock stands still cannot have one.",
    params: Type.Object({ id: PathId, port: inPath.schema }),
    body: routeBody,
    reply: { status: 200, message: "Route set.", data: routeData },
    problems: [...problems, "environment_not_found", "invalid_state"],
    handle: async (request) => {
      const { id } = request.params;
      const port = inPath.read(request.params.port);
      const served = await request.read((tx) => findServed(tx, id));
      if (served === undefined) throw commonProblem("environment_not_found");
      if (served.isFrozen && request.body.connections.length > 0) {
        throw commonProblem("invalid_state", {
          message: "The sandbox's clock stands still, and providers keep real time. Let it run first.",
          data: { status: "frozen" },
        });
      }
      return put(deps, request, { environmentId: id, kind: served.kind, port });
    },
  });
}

interface Served {
  readonly environmentId: string;
  readonly kind: EnvironmentKind;
  readonly port: Port;
}

async function put(
  { connections }: RouteRouteDependencies,
  request: RouteRequest<"operator", unknown, undefined, Static<typeof routeBody>>,
  served: Served,
) {
  const { environmentId, port } = served;
  const categories = Object.entries(request.body.categories ?? {}) as [string, string[]][];
  if (port !== "biller" && categories.length > 0) {
    throw commonProblem("validation_failed", {
      errors: [{ field: "categories", message: "only bills have categories" }],
    });
  }
  const lists = [["", request.body.connections] as const, ...categories].map(([category, connectionIds]) => ({
    category,
    connectionIds: connectionIds.map((id) => id.toLowerCase()),
  }));
  const written = await request.write(async (tx) => {
    await requireFitting(tx, served, new Set(lists.flatMap(({ connectionIds }) => connectionIds)));
    await replaceRoutes(tx, { environmentId, port }, lists);
    await recordAudit(tx, originOf(request), {
      action: "route.set",
      subjectType: "route",
      subjectId: environmentId === operatorScope ? port : `${environmentId}/${port}`,
      ...(environmentId === operatorScope ? {} : { environmentId }),
      detail: Object.fromEntries(
        lists.map(({ category, connectionIds }) => [category || "connections", connectionIds]),
      ),
    });
    const [data = emptyRoute(served)] = presentRoutes(lists.map((one) => ({ ...one, environmentId, port })));
    return { data };
  });
  await connections.refresh();
  return written;
}

/** Every connection exists, serves the port, and is of the mode that the environment takes. */
async function requireFitting(tx: Tx, { kind, port }: Served, ids: ReadonlySet<string>): Promise<void> {
  const known = new Map((await listConnections(tx)).map((connection) => [connection.id, connection]));
  for (const id of ids) {
    const connection = known.get(id);
    if (connection === undefined) throw connectionProblem("connection_not_found");
    if (!connection.ports.includes(port)) throw connectionProblem("connection_port_refused");
    if ((connection.mode === "live") !== (kind === "LIVE")) throw connectionProblem("connection_mode_mismatch");
  }
}

function emptyRoute({ environmentId, port }: Served): Static<typeof routeData> {
  return {
    environmentId: environmentId === operatorScope ? null : environmentId,
    port,
    connections: [],
    categories: {},
  };
}

function presentRoutes(routes: readonly RouteList[]): Static<typeof routeData>[] {
  const whole = Map.groupBy(routes, ({ environmentId, port }) => `${environmentId}/${port}`);
  return [...whole.values()].flatMap((lists) => {
    const [first] = lists;
    if (first === undefined) return [];
    const named = lists.filter(({ category }) => category !== "");
    const common = lists.find(({ category }) => category === "");
    return [
      {
        ...emptyRoute({ ...first, kind: "LIVE" }),
        connections: [...(common?.connectionIds ?? [])],
        categories: Object.fromEntries(named.map(({ category, connectionIds }) => [category, [...connectionIds]])),
      },
    ];
  });
}
