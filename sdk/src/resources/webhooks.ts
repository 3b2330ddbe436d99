import type {
  DeletedWebhookEndpoint,
  ListWebhookEndpointsQuery,
  NewWebhookEndpoint,
  RotateWebhookSecretBody,
  TestWebhookEndpointData,
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointWithSecret,
} from "../api.gen.ts";
import type { Caller } from "../calling/caller.ts";
import type { List } from "../calling/list.ts";
import type { CallOptions } from "../calling/settings.ts";
import { verifyWebhook } from "../verify-webhook.ts";

/** Where events are sent, and the check of what arrives there. */
export function webhooks({ call, list }: Pick<Caller, "call" | "list">) {
  return {
    verify: verifyWebhook,
    endpoints: {
      /** Keep `secret`: it is shown only now. */
      create: (endpoint: NewWebhookEndpoint, options?: CallOptions): Promise<WebhookEndpointWithSecret> =>
        call("POST /webhooks/endpoints", { body: endpoint }, options),
      get: (id: string, options?: CallOptions): Promise<WebhookEndpoint> =>
        call("GET /webhooks/endpoints/{id}", { path: { id } }, options),
      list: (query: ListWebhookEndpointsQuery = {}, options?: CallOptions): List<WebhookEndpoint> =>
        list("GET /webhooks/endpoints", { query }, options),
      update: (id: string, change: WebhookEndpointChange, options?: CallOptions): Promise<WebhookEndpoint> =>
        call("PATCH /webhooks/endpoints/{id}", { path: { id }, body: change }, options),
      delete: (id: string, options?: CallOptions): Promise<DeletedWebhookEndpoint> =>
        call("DELETE /webhooks/endpoints/{id}", { path: { id } }, options),
      /** During the overlap both secrets sign. Keep `secret`: it is shown only now. */
      rotateSecret: (
        id: string,
        rotation: RotateWebhookSecretBody = {},
        options?: CallOptions,
      ): Promise<WebhookEndpointWithSecret> =>
        call("POST /webhooks/endpoints/{id}/rotate-secret", { path: { id }, body: rotation }, options),
      /** Sends `webhook.test` to this endpoint only. */
      sendTest: (id: string, options?: CallOptions): Promise<TestWebhookEndpointData> =>
        call("POST /webhooks/endpoints/{id}/test", { path: { id } }, options),
    },
  };
}
