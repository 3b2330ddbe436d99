import { disabledReasons, type Endpoint } from "./endpoint.ts";

/** The record that GET shows and that events about the endpoint carry. */
export function presentEndpoint(endpoint: Endpoint) {
  const { disabledReason: code } = endpoint;
  return {
    id: endpoint.id,
    url: endpoint.url,
    description: endpoint.description,
    events: [...endpoint.events],
    enabled: endpoint.enabled,
    disabledReason: code === null ? null : { code, message: disabledReasons[code] },
    failingSince: endpoint.failingSince?.toISOString() ?? null,
    previousSecretExpiresAt: endpoint.previousSecretUntil?.toISOString() ?? null,
    createdAt: endpoint.createdAt.toISOString(),
    updatedAt: endpoint.updatedAt.toISOString(),
  };
}
