import type { Tx } from "../platform/database/database.ts";
import { recordEvents } from "../platform/records/outbox.ts";
import { webhookProblem } from "./errors.ts";
import { findEndpoint } from "./find-endpoint.ts";
import { presentEndpoint } from "./present-endpoint.ts";

export const testEvent = "webhook.test";

/** An event about the endpoint itself, which goes to it alone, whatever it asks for. Returns the event's id. */
export async function testEndpoint(tx: Tx, id: string): Promise<string> {
  const endpoint = await findEndpoint(tx, id);
  if (!endpoint.enabled) throw webhookProblem("webhook_endpoint_disabled");
  const [eventId] = await recordEvents(tx, [
    {
      event: testEvent,
      resourceType: "webhook_endpoint",
      resourceId: id,
      resourceVersion: endpoint.version,
      data: presentEndpoint(endpoint),
    },
  ]);
  if (eventId === undefined) throw new Error("the test event was not written");
  return eventId;
}
