/** An order as an operator sees it: the record of the merchant, and by what it can be traced at the provider. */
import { type Static, type TObject, type TProperties, Type } from "typebox";
import { type EnvironmentKind, type Tx, visitEnvironment } from "../../platform/database/database.ts";
import { describeRoute, type Route } from "../../platform/http/route.ts";
import { EnvironmentWord, IdParams, Nullable, Uuid } from "../../platform/http/wire.ts";
import type { Problem } from "../../platform/problem.ts";
import { findOnlyPlace } from "../../platform/records/only-place.ts";
import { type KnownConnections, presentRail, railData } from "../order-at-rail.ts";
import type { Port } from "../provider.ts";
import { findTrace } from "./trace-store.ts";

export interface ViewedOrder<Order, Fields extends TProperties> {
  /** As paths call it: "transfers". */
  readonly collection: string;
  /** As sentences begin: "Transfer". */
  readonly label: string;
  readonly table: string;
  readonly notFoundCode: string;
  notFound(): Problem;
  readonly data: TObject<Fields>;
  find(tx: Tx, id: string): Promise<Order | undefined>;
  present(order: Order, environment: EnvironmentKind): Static<TObject<Fields>>;
  readonly port: Port;
  /** Null while nothing was sent. */
  railOf(order: Order): { readonly connectionId: string; readonly orderId: string } | null;
}

export function orderViewRoute<Order, Fields extends TProperties>(
  { connections }: { readonly connections: KnownConnections },
  viewed: ViewedOrder<Order, Fields>,
): Route {
  const { collection, label } = viewed;
  const place = { environmentId: Uuid, environment: EnvironmentWord, rail: Nullable(railData) };
  return describeRoute("operator", {
    method: "GET",
    path: `/operator/${collection}/{id}`,
    operationId: `getOperator${label}`,
    tag: "Operator",
    summary: `Read a ${label.toLowerCase()} of any environment`,
    description: "As its merchant sees it, with where it is at the provider.",
    params: IdParams,
    reply: { status: 200, message: `${label} retrieved.`, data: Type.Object({ ...viewed.data.properties, ...place }) },
    problems: [viewed.notFoundCode, "invalid_state"],
    handle: (request) =>
      request.read(async (tx) => {
        const { id } = request.params;
        const environmentId = await findOnlyPlace(tx, viewed.table, id);
        if (environmentId === undefined) throw viewed.notFound();
        const data = await visitEnvironment(tx, environmentId, async (inside) => {
          const order = await viewed.find(inside, id);
          if (order === undefined) throw viewed.notFound();
          const { kind } = inside.environment;
          const rail = await describeRail(inside, connections, viewed.port, viewed.railOf(order));
          return { ...viewed.present(order, kind), environmentId, environment: kind, rail };
        });
        return { data: data as never };
      }),
  });
}

async function describeRail(
  tx: Tx,
  connections: KnownConnections,
  port: Port,
  bound: { readonly connectionId: string; readonly orderId: string } | null,
): Promise<Static<typeof railData> | null> {
  if (bound === null) return null;
  const { providerReference = null, networkSessionId = null, fee = null } = await findTrace(tx, { ...bound, port });
  return presentRail(connections, { ...bound, providerReference, networkSessionId, fee });
}
