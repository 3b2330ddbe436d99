/** The calls of Dojah. Numbers of people stand in addresses here: an address is never logged. */
import type { ConnectionSettings } from "../provider.ts";
import { createProviderClient, type WireReply } from "../provider-client.ts";

export interface DojahClient {
  matchBvn(query: Readonly<Record<string, string | undefined>>): Promise<WireReply>;
  lookUpBvn(bvn: string): Promise<WireReply>;
  lookUpNin(nin: string): Promise<WireReply>;
  readBalance(): Promise<WireReply>;
}

/** Two questions fit into the time limit of the port. */
const timeoutMs = 7_000;

export function createDojahClient({ baseUrl, credentials, onCall }: ConnectionSettings): DojahClient {
  const wire = createProviderClient({ baseUrl, timeoutMs, onCall });
  const { appId = "", secretKey = "" } = credentials;
  // The bare key, without "Bearer".
  const headers = { appid: appId, authorization: secretKey };
  const ask = (path: string, query: Readonly<Record<string, string | undefined>> = {}) =>
    wire.call({ method: "GET", path, query, headers });
  return {
    matchBvn: (query) => ask("/api/v1/kyc/bvn", query),
    lookUpBvn: (bvn) => ask("/api/v1/kyc/bvn/full", { bvn }),
    lookUpNin: (nin) => ask("/api/v1/kyc/nin", { nin }),
    readBalance: () => ask("/api/v1/balance"),
  };
}
