import type { Tx } from "../../platform/database/database.ts";
import { recordEvents } from "../../platform/records/outbox.ts";
import { endOpenDeliveries } from "../deliveries/delivery-store.ts";
import type { DisabledReason, Endpoint } from "./endpoint.ts";
import { lockEndpointRow, updateEndpoint } from "./endpoint-store.ts";
import { presentEndpoint } from "./present-endpoint.ts";

/** Disables an endpoint by itself, and tells the merchant through its log, its feed and its other endpoints. */
export async function disableEndpoint(tx: Tx, id: string, reason: "gone" | "failing"): Promise<void> {
  const endpoint = await lockEndpointRow(tx, id);
  if (endpoint?.enabled !== true) return;
  const disabled = await holdEndpoint(tx, endpoint, reason);
  await recordEvents(tx, [
    {
      event: "webhook.endpoint.disabled",
      resourceType: "webhook_endpoint",
      resourceId: id,
      resourceVersion: disabled.version,
      data: presentEndpoint(disabled),
    },
  ]);
}

/** What is open is held for replay. The caller has locked the endpoint. */
export async function holdEndpoint(tx: Tx, endpoint: Endpoint, reason: DisabledReason): Promise<Endpoint> {
  await endOpenDeliveries(tx, endpoint.id, "held");
  return updateEndpoint(tx, { ...endpoint, enabled: false, disabledReason: reason });
}
