/** What Paystack says when it refuses, whatever the call: its code, its words, and whether the account itself is at fault. */
import type { Hold, Unknown } from "../answer.ts";
import { unsettled } from "../payment-record.ts";
import type { WireReply } from "../provider-client.ts";
import { cleanWords, wordsAt } from "../provider-words.ts";
import { isRecord, recordAt, textOf, type WireRecord } from "../wire-json.ts";

export interface Refusal {
  readonly status: number;
  /** Empty where Paystack gives none: older errors have a message only. */
  readonly code: string;
  readonly type: string;
  readonly words: string;
}

/** Paystack's own refusal, in its own envelope. A page of a proxy, or a reply with data, is not one. */
export function refusalIn(reply: WireReply): Refusal | undefined {
  if (reply.kind !== "answer" || !isRecord(reply.body)) return undefined;
  const { status, data, code, type } = reply.body;
  const hasData = data !== undefined && data !== null;
  if (status !== false || hasData) return undefined;
  return {
    status: reply.status,
    code: cleanWords(textOf(code) ?? ""),
    type: cleanWords(textOf(type) ?? ""),
    words: wordsAt(reply.body, "message"),
  };
}

/** The data of a reply that says it went well. */
export function dataIn(reply: WireReply): WireRecord | undefined {
  if (reply.kind !== "answer" || reply.status < 200 || reply.status > 299) return undefined;
  const { status, data } = recordAt(reply.body);
  return status === true && isRecord(data) ? data : undefined;
}

/** Whether the account cannot be used for anything now, which says nothing about an order. */
export function holdIn(reply: WireReply): Hold | undefined {
  if (reply.kind !== "answer") return undefined;
  const words = wordsAt(reply.body, "message");
  const message = words === "" ? `Paystack replied ${reply.status}` : words;
  if (reply.status === 401) return { reason: "keys_refused", message };
  if (reply.status === 403) {
    const isAboutAddress = words === "" || /\bip\b|address|whitelist/i.test(words);
    return { reason: isAboutAddress ? "address_refused" : "not_enabled", message };
  }
  const refusal = refusalIn(reply);
  if (refusal === undefined || reply.status >= 500) return undefined;
  if (refusal.code === "insufficient_balance" || isAboutBalance(words)) return { reason: "float_empty", message };
  const isOff =
    refusal.code === "transfer_unavailable" || /starter business|third party payouts|not enabled/i.test(words);
  return isOff ? { reason: "not_enabled", message } : undefined;
}

function isAboutBalance(words: string): boolean {
  return /balance/i.test(words) && /not enough|insufficient|too low/i.test(words);
}

/** The reply settles nothing. */
export function unknownFrom(reply: WireReply): Unknown {
  return unsettled(reply, refusalIn(reply)?.code, holdIn(reply));
}
