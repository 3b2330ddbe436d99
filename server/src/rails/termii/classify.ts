/**
 * What a reply of Termii means. Sent only with a message id. Refused only when the words are about the number or the
 * text; words about our account, sender id, route or balance hold the connection and say nothing about the number.
 */
import type { Hold, HoldReason, Unknown } from "../answer.ts";
import type { MessageAnswer } from "../message.ts";
import type { Float } from "../provider.ts";
import type { WireReply } from "../provider-client.ts";
import { cleanWords } from "../provider-words.ts";
import { isRecord, nairaOf, recordAt, textOf } from "../wire-json.ts";

/** The operator's to mend, the first that fits. */
const holds: readonly (readonly [RegExp, HoldReason])[] = [
  [/balance|insufficient|top.?up|credit/i, "float_empty"],
  [/api.?key|unauthori[sz]ed|unauthenticated|authentication|token/i, "keys_refused"],
  [/whitelist|ip address/i, "address_refused"],
  [/sender|\bfrom\b|route|channel|account|not active|inactive|suspended|application|country not/i, "not_enabled"],
];

/** `to` counts as the name of a field only: "unable to send" is about nobody's number. */
const aboutNumberOrText =
  /phone|number|recipient|msisdn|destination|\bto field\b|\((\w+, )*to\b|\bsms\b|message (is|was|cannot|too|must)|text/i;
const passing = /try again|later|temporar|unavailable|timed? ?out/i;

/** Statuses at which Termii has looked at a message and not taken it. */
const refusals: ReadonlySet<number> = new Set([400, 404, 422]);

export function classifySend(reply: WireReply): MessageAnswer {
  if (reply.kind !== "answer") return { outcome: "unknown", code: null };
  const { status, body } = reply;
  if (status === 200 || status === 201) return classifyTaken(status, body);
  const hold = holdOf(status, body);
  if (hold !== undefined) return { outcome: "unknown", code: String(status), hold };
  const words = wordsIn(body);
  if (!refusals.has(status) || words === "") return unclear(status, words);
  if (!aboutNumberOrText.test(words) || passing.test(words)) return unclear(status, words);
  return { outcome: "refused", code: String(status), message: words };
}

function classifyTaken(status: number, body: unknown): MessageAnswer {
  const record = recordAt(body);
  const providerId = textOf(record["message_id"]) ?? textOf(record["message_id_str"]);
  const code = textOf(record["code"]) ?? "ok";
  if (providerId !== undefined && code.toLowerCase() === "ok") return { outcome: "sent", providerId };
  const hold = holdOf(status, body);
  return { outcome: "unknown", code: String(status), ...(hold === undefined ? {} : { hold }) };
}

/** A refusal in words that nobody has seen is for people to read. */
function unclear(status: number, words: string): Unknown {
  const isRefusal = refusals.has(status) || status === 405;
  return {
    outcome: "unknown",
    code: String(status),
    ...(isRefusal ? { alarm: `Termii replied ${status}: ${words}` } : {}),
  };
}

function holdOf(status: number, body: unknown): Hold | undefined {
  if (status >= 500 || status === 408 || status === 429) return undefined;
  const words = wordsIn(body);
  const found = holds.find(([about]) => about.test(words));
  const message = words === "" ? `Termii replied with status ${status}` : words;
  if (status === 401) return { reason: found?.[1] ?? "keys_refused", message };
  if (status === 402) return { reason: "float_empty", message };
  if (status === 403) return { reason: found?.[1] ?? "not_enabled", message };
  return found === undefined ? undefined : { reason: found[1], message };
}

/** The message and the names of the fields that were found wrong. */
function wordsIn(body: unknown): string {
  if (!isRecord(body)) return "";
  const errors = recordAt(body, "errors");
  const fields = Object.keys(errors).join(", ");
  const said = textOf(body["message"]) ?? textOf(body["error"]) ?? "";
  return cleanWords(fields === "" ? said : `${said} (${fields})`);
}

export function classifyBalance(reply: WireReply): Float | Hold | null {
  if (reply.kind !== "answer") return null;
  const { status, body } = reply;
  if (status !== 200) return holdOf(status, body) ?? null;
  const { balance, currency } = recordAt(body);
  // Messages cost fractions of a kobo.
  const available = nairaOf(textOf(balance)?.replace(/(\.\d{2})\d+$/, "$1"));
  return available === undefined || (textOf(currency) ?? "NGN") !== "NGN" ? null : { available };
}
