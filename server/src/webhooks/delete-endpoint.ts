import type { Tx } from "../platform/database/database.ts";
import { endOpenDeliveries } from "./delivery-store.ts";
import { markDeleted } from "./endpoint-store.ts";
import { lockEndpoint } from "./find-endpoint.ts";

/** Nothing more is sent there, and nothing can be replayed to it; the log of what was sent stays. */
export async function deleteEndpoint(tx: Tx, id: string): Promise<void> {
  await lockEndpoint(tx, id);
  await endOpenDeliveries(tx, id, "cancelled");
  await markDeleted(tx, id);
}
