import type { Hold, HoldReason, Unknown } from "../answer.ts";
import { checkBalance } from "../check-connection.ts";
import { isSigned } from "../hook-signature.ts";
import type { MessageAnswer, MessageRail } from "../message.ts";
import type { ConnectionCheck, ConnectionSettings, Float, Hint, HookRequest, Provider } from "../provider.ts";
import { createProviderClient, type WireReply } from "../provider-client.ts";
import { cleanWords } from "../provider-words.ts";
import { isRecord, nairaOf, parseWireJson, recordAt, textOf } from "../wire-json.ts";

export const termii: Provider = {
  name: "termii",
  ports: ["message"],
  credentials: [
    { name: "apiKey", secret: true, required: true, description: "API key, from the settings of the account." },
    {
      name: "senderId",
      secret: false,
      required: true,
      description: "The sender's name as it is registered with Termii, 3 to 11 letters and digits.",
    },
    {
      name: "webhookSecret",
      secret: true,
      required: false,
      description: "The key that signs webhooks, where it is not the API key.",
    },
  ],
  defaultBaseUrl: "https://v3.api.termii.com",
  // There is no test mode: a test connection sends real messages.
  testBaseUrl: "https://v3.api.termii.com",
  connect: (settings) => {
    const client = createTermiiClient(settings);
    const { apiKey = "", senderId = "", webhookSecret = "" } = settings.credentials;
    const readFloat = async () => classifyBalance(await client.readBalance());
    return {
      message: createTermiiMessages(client),
      check: async () => [checkSender(senderId), checkBalance(await readFloat())],
      readFloat,
      readHook: (request) => readHook(webhookSecret === "" ? apiKey : webhookSecret, request),
    };
  },
};

function checkSender(senderId: string): ConnectionCheck {
  const fits = /^[A-Za-z0-9][A-Za-z0-9 .-]{1,9}[A-Za-z0-9]$/.test(senderId);
  return fits
    ? { name: "sender_id", result: "ok", message: "The sender id has 3 to 11 characters." }
    : {
        name: "sender_id",
        result: "failed",
        message: "A sender id has 3 to 11 letters and digits. Register another one.",
      };
}

/** Reports of delivery. Termii names a message by its own id, and a report only notes what became of it. */
export function readHook(key: string, { body, headers }: HookRequest): Hint {
  if (!isSigned(key, body, headers["x-termii-signature"])) return { about: "forged" };
  const report = recordAt(parseWireJson(body.toString("utf8")));
  const id = textOf(report["message_id"]);
  const event = textOf(report["status"])?.slice(0, 100) ?? "unreadable";
  return id === undefined ? { about: "nothing", event } : { about: "message", id, event };
}

/** Text messages through Termii. */
const mostParts = 6;

function createTermiiMessages(client: TermiiClient): MessageRail {
  return {
    name: "termii",
    // It has no field for an id of ours: a second call is a second message.
    deduplicatesByMessage: false,
    send: async ({ to, text }) => {
      const parts = smsParts(text);
      if (text.trim() === "" || parts > mostParts) {
        const message = `A text of ${parts} parts is not sent; ${mostParts} is the most, and an empty one is none.`;
        return { outcome: "refused", code: "text_length", message };
      }
      return classifySend(await client.send({ to, text }));
    },
  };
}

/** The calls of Termii. The key travels in the body of a POST and in the query of a GET, never in a header. */
interface TermiiClient {
  send(message: { readonly to: string; readonly text: string }): Promise<WireReply>;
  readBalance(): Promise<WireReply>;
}

/** Below the time limit of the port, so that what happened on the wire is still told. */
const timeoutMs = 9_000;

function createTermiiClient({ baseUrl, credentials, onCall }: ConnectionSettings): TermiiClient {
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

/** In how many parts a text travels. Each part is paid for. */

/** The letters of GSM 03.38, in its order. Everything else makes a whole text travel in 16-bit letters. */
const plain =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
/** These take two places. */
const extended = "^{}\\[~]|€\f";

const plainLetters = new Set(plain);
const extendedLetters = new Set(extended);

interface Lengths {
  readonly alone: number;
  /** In a chain each part gives some room to its number. */
  readonly chained: number;
}

const sevenBit: Lengths = { alone: 160, chained: 153 };
const sixteenBit: Lengths = { alone: 70, chained: 67 };

export function smsParts(text: string): number {
  const letters = [...text];
  const isPlain = letters.every((letter) => plainLetters.has(letter) || extendedLetters.has(letter));
  const places = isPlain
    ? letters.reduce((sum, letter) => sum + (extendedLetters.has(letter) ? 2 : 1), 0)
    : text.length;
  const { alone, chained } = isPlain ? sevenBit : sixteenBit;
  return places <= alone ? 1 : Math.ceil(places / chained);
}

/**
 * What a reply of Termii means. Sent only with a message id. Refused only when the words are about the number or the
 * text; words about our account, sender id, route or balance hold the connection and say nothing about the number.
 */

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
