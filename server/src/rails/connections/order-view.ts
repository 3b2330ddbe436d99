/** An order as an operator sees it: the record of the merchant, and by what it can be traced at the provider. */
import { type Static, type TObject, type TProperties, Type } from "typebox";
import { type Tx, visitEnvironment } from "../../platform/database/database.ts";
import { describeRoute, type Route } from "../../platform/http/route.ts";
import { EnvironmentWord, IdParams, Nullable, Uuid } from "../../platform/http/wire.ts";
import { findOnlyPlace } from "../../platform/records/only-place.ts";
import { type KnownConnections, presentRail, railData } from "../order-at-rail.ts";
import type { Port } from "../provider.ts";
import { labelOf, type SteerableRecord } from "../steer-by-hand.ts";
import type { Steered } from "../steer-order.ts";
import { findTrace } from "./trace-store.ts";

export interface ViewedOrder<Order> {
  readonly port: Port;
  /** By which the provider knows it; null while nothing was sent. */
  railIdOf(order: Order): string | null;
}

export function orderViewRoute<
  Order extends Steered & { readonly connectionId: string | null },
  Step extends { readonly to: string },
  Fields extends TProperties,
>(
  { connections }: { readonly connections: KnownConnections },
  record: SteerableRecord<Order, Step, TObject<Fields>>,
  { port, railIdOf }: ViewedOrder<Order>,
): Route {
  const { kind: order, collection, notFound, data, present } = record;
  const label = labelOf(order);
  const place = { environmentId: Uuid, environment: EnvironmentWord, rail: Nullable(railData) };
  return describeRoute("operator", {
    method: "GET",
    path: `/operator/${collection}/{id}`,
    operationId: `getOperator${label}`,
    tag: "Operator",
    summary: `Read a ${order.noun} of any environment`,
    description: "As its merchant sees it, with where it is at the provider.",
    params: IdParams,
    reply: { status: 200, message: `${label} retrieved.`, data: Type.Object({ ...data.properties, ...place }) },
    problems: [notFound, "invalid_state"],
    handle: (request) =>
      request.read(async (tx) => {
        const { id } = request.params;
        const environmentId = await findOnlyPlace(tx, collection, id);
        if (environmentId === undefined) throw order.notFound();
        const viewed = await visitEnvironment(tx, environmentId, async (inside) => {
          const found = await order.find(inside, id);
          if (found === undefined) throw order.notFound();
          const [{ kind }, { connectionId }, orderId] = [inside.environment, found, railIdOf(found)];
          const bound = connectionId === null || orderId === null ? null : { connectionId, orderId };
          const rail = await describeRail(inside, connections, port, bound);
          return { ...present(found, kind), environmentId, environment: kind, rail };
        });
        return { data: viewed as never };
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
