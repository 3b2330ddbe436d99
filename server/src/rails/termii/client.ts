/** The calls of Termii. The key travels in the body of a POST and in the query of a GET, never in a header. */
import type { ConnectionSettings } from "../provider.ts";
import { createProviderClient, type WireReply } from "../provider-client.ts";

export interface TermiiClient {
  send(message: { readonly to: string; readonly text: string }): Promise<WireReply>;
  readBalance(): Promise<WireReply>;
}

/** Below the time limit of the port, so that what happened on the wire is still told. */
const timeoutMs = 9_000;

export function createTermiiClient({ baseUrl, credentials, onCall }: ConnectionSettings): TermiiClient {
  const wire = createProviderClient({ baseUrl, timeoutMs, onCall });
  const { apiKey: api_key = "", senderId: from = "" } = credentials;
  return {
    send: ({ to, text }) =>
      wire.call({
        method: "POST",
        path: "/api/sms/send",
        // The transactional route: the promotional one reaches no number on do-not-disturb, and no MTN number at night.
        body: { api_key, to: to.replace(/^\+/, ""), from, sms: text, type: "plain", channel: "dnd" },
      }),
    readBalance: () => wire.call({ method: "GET", path: "/api/get-balance", query: { api_key } }),
  };
}
