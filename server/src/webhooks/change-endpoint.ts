import type { Tx } from "../platform/database/database.ts";
import { holdEndpoint } from "./disable-endpoint.ts";
import type { Endpoint } from "./endpoint.ts";
import { type EndpointRules, readEndpointInput } from "./endpoint-input.ts";
import { lockEndpoints, readEndpoints, updateEndpoint } from "./endpoint-store.ts";
import { lockEndpoint } from "./find-endpoint.ts";
import { refuseKnownUrl } from "./refuse-known-url.ts";

export interface ChangeEndpoint extends EndpointRules {
  readonly id: string;
  readonly url?: string;
  readonly events?: readonly string[];
  readonly description?: string | null;
  readonly enabled?: boolean;
}

/** Enabling an endpoint, or giving it another address, wipes its failures out. What was held is sent by a replay. */
export async function changeEndpoint(tx: Tx, command: ChangeEndpoint): Promise<Endpoint> {
  // Before the endpoint's own row: two that change places must not wait for each other.
  if (command.url !== undefined) await lockEndpoints(tx);
  const endpoint = await lockEndpoint(tx, command.id);
  const input = readEndpointInput(command, command);
  if (input.url !== undefined && input.url !== endpoint.url) refuseKnownUrl(await readEndpoints(tx), input.url);
  const enabled = command.enabled ?? endpoint.enabled;
  const startsAnew = (enabled && !endpoint.enabled) || (input.url !== undefined && input.url !== endpoint.url);
  const changed: Endpoint = {
    ...endpoint,
    ...input,
    description: command.description === undefined ? endpoint.description : command.description,
    failingSince: startsAnew ? null : endpoint.failingSince,
    enabled,
    disabledReason: enabled ? null : endpoint.disabledReason,
  };
  return endpoint.enabled && !enabled ? holdEndpoint(tx, changed, "merchant") : updateEndpoint(tx, changed);
}
