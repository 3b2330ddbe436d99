/** Monnify's envelope: what a reply says, and when a refusal is about our account and not about an order. */
import type { Hold, Unknown } from "../answer.ts";
import { unsettled } from "../payment-record.ts";
import type { WireReply } from "../provider-client.ts";
import { cleanWords, wordsAt } from "../provider-words.ts";
import { isRecord, recordAt, textOf, type WireRecord } from "../wire-json.ts";

export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly words: string;
}

/** Monnify's own refusal, in its own envelope and with nothing in it. */
export function refusalIn(reply: WireReply): Refusal | undefined {
  if (reply.kind !== "answer" || !isRecord(reply.body)) return undefined;
  const { requestSuccessful, responseBody, responseCode } = reply.body;
  const isEmpty = responseBody === undefined || responseBody === null || Object.keys(responseBody).length === 0;
  if (requestSuccessful !== false || !isEmpty) return undefined;
  const words = wordsAt(reply.body, "responseMessage");
  return { status: reply.status, code: cleanWords(textOf(responseCode) ?? ""), words };
}

export function bodyIn(reply: WireReply): WireRecord | undefined {
  const body = contentIn(reply);
  return isRecord(body) ? body : undefined;
}

export function listIn(reply: WireReply): readonly unknown[] | undefined {
  const body = contentIn(reply);
  return Array.isArray(body) ? body : undefined;
}

function contentIn(reply: WireReply): unknown {
  if (reply.kind !== "answer" || reply.status < 200 || reply.status > 299) return undefined;
  const { requestSuccessful, responseBody } = recordAt(reply.body);
  return requestSuccessful === true ? responseBody : undefined;
}

/** Whether the account cannot be used for anything now, which says nothing about an order. */
export function holdIn(reply: WireReply): Hold | undefined {
  if (reply.kind !== "answer") return undefined;
  const words = wordsAt(reply.body, "responseMessage");
  const message = words === "" ? `Monnify replied ${reply.status}` : words;
  if (reply.status === 401) return { reason: "keys_refused", message };
  const isAboutAddress = /\bip\b|whitelist/i.test(words);
  if (reply.status === 403) {
    return { reason: words === "" || isAboutAddress ? "address_refused" : "not_enabled", message };
  }
  if (refusalIn(reply) === undefined || reply.status >= 500) return undefined;
  if (isAboutAddress) return { reason: "address_refused", message };
  if (/insufficient|not enough|low balance/i.test(words)) return { reason: "float_empty", message };
  return /not (enabled|activated|permitted|allowed)|disabled/i.test(words)
    ? { reason: "not_enabled", message }
    : undefined;
}

/** The reply settles nothing. */
export function unknownFrom(reply: WireReply): Unknown {
  return unsettled(reply, refusalIn(reply)?.code, holdIn(reply));
}
