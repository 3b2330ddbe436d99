import type { Tx } from "../platform/database/database.ts";
import type { Sealer } from "../platform/secrets/crypto.ts";
import { type Endpoint, everyEvent, mostEndpoints } from "./endpoint.ts";
import { type EndpointRules, readEndpointInput } from "./endpoint-input.ts";
import { insertEndpoint, lockEndpoints, readEndpoints } from "./endpoint-store.ts";
import { webhookProblem } from "./errors.ts";
import { refuseKnownUrl } from "./refuse-known-url.ts";
import { makeWebhookSecret, sealSecret } from "./webhook-secret.ts";

export interface CreateEndpoint extends EndpointRules {
  readonly url: string;
  readonly events?: readonly string[];
  readonly description?: string | null;
  readonly enabled?: boolean;
  readonly sealer: Sealer;
}

/** The secret of the answer is shown nowhere else. */
export async function createEndpoint(
  tx: Tx,
  command: CreateEndpoint,
): Promise<{ readonly endpoint: Endpoint; readonly secret: string }> {
  const { url = command.url, events = [everyEvent] } = readEndpointInput(command, command);
  await lockEndpoints(tx);
  const others = await readEndpoints(tx);
  refuseKnownUrl(others, url);
  if (others.length >= mostEndpoints) throw webhookProblem("webhook_endpoint_limit");
  const { clock, id: environmentId } = tx.environment;
  const now = clock.now();
  const enabled = command.enabled ?? true;
  const endpoint: Endpoint = {
    id: clock.newId(),
    url,
    description: command.description ?? null,
    events,
    enabled,
    disabledReason: enabled ? null : "merchant",
    failingSince: null,
    previousSecretUntil: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  const secret = makeWebhookSecret();
  const owner = { environmentId, endpointId: endpoint.id };
  await insertEndpoint(tx, endpoint, sealSecret(command.sealer, owner, "current", secret));
  return { endpoint, secret };
}
