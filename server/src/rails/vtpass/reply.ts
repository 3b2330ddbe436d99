/** What every reply of VTpass has in common. Errors of business come with status 200 and a code. */
import type { Hold } from "../answer.ts";
import type { WireReply } from "../provider-client.ts";
import { wordsAt } from "../provider-words.ts";
import { isRecord, type WireRecord } from "../wire-json.ts";
import { holdCodes } from "./codes.ts";

/** A reply that can be read by its code, or nothing that says anything about an order. */
export type ReadReply =
  | { readonly kind: "code"; readonly code: string; readonly body: WireRecord }
  | { readonly kind: "nothing"; readonly hold?: Hold };

export function readReply(reply: WireReply): ReadReply {
  if (reply.kind !== "answer") return { kind: "nothing" };
  const { status, body } = reply;
  const hold = holdIn(status, body);
  if (hold !== undefined) return { kind: "nothing", hold };
  const isOurs = (status >= 200 && status < 300) || status === 400 || status === 404 || status === 422;
  // A number is no code: the documented ones are texts, and 0 is not "000".
  if (!isOurs || !isRecord(body) || typeof body["code"] !== "string") return { kind: "nothing" };
  return { kind: "code", code: body["code"].trim(), body };
}

export function holdIn(status: number, body: unknown): Hold | undefined {
  const code = isRecord(body) ? body["code"] : undefined;
  const reason = typeof code === "string" ? holdCodes.get(code.trim()) : undefined;
  const message = wordsIn(body) ?? `VTpass replied with status ${status}`;
  if (reason !== undefined && status < 500) return { reason, message };
  return status === 401 || status === 403 ? { reason: "keys_refused", message } : undefined;
}

/** The provider's own words, for operators; undefined when there are none. */
export function wordsIn(body: unknown): string | undefined {
  return wordsAt(body, "response_description") || wordsAt(body, "message") || undefined;
}
