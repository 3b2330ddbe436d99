/** Where an order is at its provider, as operators see it. Merchants do not. */
import { type Static, Type } from "typebox";
import { type Kobo, nairaNumber } from "../money/kobo.ts";
import { NairaNumber, Nullable, Uuid } from "../platform/http/wire.ts";

export interface OrderAtRail {
  readonly connectionId: string;
  /** Our id there: a session, a request, a charge. */
  readonly orderId: string;
  readonly providerReference: string | null;
  readonly networkSessionId: string | null;
  readonly fee: Kobo | null;
}

export const railData = Type.Object(
  {
    provider: Type.String({ examples: ["paystack"] }),
    connectionId: Uuid,
    orderId: Type.String({
      description: "Our id for the order, by which the provider knows it.",
      examples: ["999001261103101500000000000042"],
    }),
    providerReference: Nullable(Type.String({ description: "The provider's own.", examples: ["TRF_2x5j67tnnw1t98k"] })),
    networkSessionId: Nullable(
      Type.String({ description: "By which banks trace it.", examples: ["090405261103101512345678901234"] }),
    ),
    fee: Nullable({ ...NairaNumber, description: "What the provider charges us for it." }),
  },
  { description: "Null while it waits, and in a sandbox that has no provider." },
);

/** Who is behind a connection, by its id. */
export interface KnownConnections {
  find(id: string): Promise<{ readonly connection: { readonly provider: string } } | undefined>;
}

export async function presentRail(connections: KnownConnections, order: OrderAtRail): Promise<Static<typeof railData>> {
  const { fee, ...rest } = order;
  const found = await connections.find(order.connectionId);
  const provider = found?.connection.provider ?? "unknown";
  return { provider, ...rest, fee: fee === null ? null : nairaNumber(fee) };
}
