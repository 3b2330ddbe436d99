import type { Endpoint } from "./endpoint.ts";
import { webhookProblem } from "./errors.ts";

/**
 * Two endpoints with one address would receive every event twice, and a merchant who sets a server up again would not
 * notice. A disabled endpoint counts: it can be enabled. A deleted one is not among the others any more.
 */
export function refuseKnownUrl(others: readonly Endpoint[], url: string): void {
  const known = others.find((other) => other.url === url);
  if (known !== undefined) throw webhookProblem("webhook_endpoint_exists", { data: { endpointId: known.id } });
}
