/** A page of one of Paystack's lists. */
import type { WireReply } from "../provider-client.ts";
import { isRecord, type WireRecord } from "../wire-json.ts";

type Page = WireReply & { readonly body: WireRecord & { readonly data: readonly unknown[] } };

export function isPage(reply: WireReply): reply is Page {
  if (reply.kind !== "answer" || reply.status !== 200 || !isRecord(reply.body)) return false;
  return reply.body.status === true && Array.isArray(reply.body.data);
}
