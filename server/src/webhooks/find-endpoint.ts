import type { Tx } from "../platform/database/database.ts";
import type { Endpoint } from "./endpoint.ts";
import { findEndpointRow, lockEndpointRow } from "./endpoint-store.ts";
import { webhookProblem } from "./errors.ts";

export async function findEndpoint(tx: Tx, id: string): Promise<Endpoint> {
  const endpoint = await findEndpointRow(tx, id);
  if (endpoint === undefined) throw webhookProblem("webhook_endpoint_not_found");
  return endpoint;
}

/** As findEndpoint; two changes of one endpoint then follow each other. */
export async function lockEndpoint(tx: Tx, id: string): Promise<Endpoint> {
  const endpoint = await lockEndpointRow(tx, id);
  if (endpoint === undefined) throw webhookProblem("webhook_endpoint_not_found");
  return endpoint;
}
