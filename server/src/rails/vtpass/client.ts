/** The calls of VTpass. Reading shows the public key, everything that is posted shows the secret one. */

import type { ConnectionSettings } from "../provider.ts";
import { createProviderClient, type WireReply } from "../provider-client.ts";

export interface VtpassClient {
  pay(order: Readonly<Record<string, unknown>>): Promise<WireReply>;
  requery(requestId: string): Promise<WireReply>;
  verifyCustomer(question: Readonly<Record<string, unknown>>): Promise<WireReply>;
  readBalance(): Promise<WireReply>;
  listServices(identifier: string): Promise<WireReply>;
  listVariations(serviceId: string): Promise<WireReply>;
}

/** Below the time limits of the port, so that what happened on the wire is still told. */
const payMs = 55_000;
const askMs = 14_000;

export function createVtpassClient({ baseUrl, credentials, onCall }: ConnectionSettings): VtpassClient {
  const wire = createProviderClient({ baseUrl, timeoutMs: askMs, onCall });
  const { apiKey = "", publicKey = "", secretKey = "" } = credentials;
  const read = (path: string, query: Readonly<Record<string, string>> = {}) =>
    wire.call({ method: "GET", path, query, headers: { "api-key": apiKey, "public-key": publicKey } });
  const post = (path: string, body: unknown, timeoutMs = askMs) =>
    wire.call({ method: "POST", path, body, timeoutMs, headers: { "api-key": apiKey, "secret-key": secretKey } });
  return {
    pay: (order) => post("/pay", order, payMs),
    requery: (requestId) => post("/requery", { request_id: requestId }),
    verifyCustomer: (question) => post("/merchant-verify", question),
    readBalance: () => read("/balance"),
    listServices: (identifier) => read("/services", { identifier }),
    listVariations: (serviceId) => read("/service-variations", { serviceID: serviceId }),
  };
}
