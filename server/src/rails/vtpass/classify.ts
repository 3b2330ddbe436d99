/**
 * What a reply about an order means. Delivered means success only when the reply carries our request id and our amount,
 * and the token where there must be one. Every other word, code, status or body means failure where the tables of
 * `codes.ts` say so, and unknown otherwise.
 */
import type { Kobo } from "../../money/kobo.ts";
import type { RailTrace, Unknown } from "../answer.ts";
import type { Delivery, VendAnswer, VendQueryAnswer, VendQuestion } from "../biller.ts";
import type { WireReply } from "../provider-client.ts";
import { nairaOf, recordAt, textOf, type WireRecord } from "../wire-json.ts";
import { failedCodes, neverSeen, notOnOurList, processed, refusalCodes, reversed } from "./codes.ts";
import { readReply, wordsIn } from "./reply.ts";

const takenBackMessage = "The biller took the delivery back and returned the money.";

/** The reply to an order. */
export function classifyVend(reply: WireReply, order: VendQuestion): VendAnswer {
  const read = readTransaction(reply, order);
  if (read.answer !== undefined) return read.answer;
  const { code, body, word, trace } = read;
  if (code === processed && word === "delivered") return delivered(body, order, trace);
  if (code === processed && word === "failed") return { outcome: "failure", code: word, ...failedWord, ...trace };
  const isReversed = code === reversed || (code === processed && word === "reversed");
  if (isReversed) return { outcome: "failure", code: word ?? code, message: takenBackMessage, ...trace };
  const message = failedCodes.get(code) ?? refusalCodes.get(code);
  if (message === undefined) return open(code, word, trace);
  const alarm = code === notOnOurList ? { alarm: `VTpass does not let this account sell it: ${wordsIn(body)}` } : {};
  return { outcome: "failure", code, message, ...alarm, ...trace };
}

/** The reply to a question about an order, which may have ended long ago. */
export function classifyRequery(reply: WireReply, order: VendQuestion): VendQueryAnswer {
  const read = readTransaction(reply, order);
  if (read.answer !== undefined) return read.answer;
  const { code, body, word, trace } = read;
  if (code === neverSeen && word === undefined) return { outcome: "no_record" };
  if (code === processed && word === "delivered") return delivered(body, order, trace);
  if (code === processed && word === "failed") return { outcome: "failure", code: word, ...failedWord, ...trace };
  const isReversed = code === reversed || (code === processed && word === "reversed");
  if (isReversed) return { outcome: "taken_back", code: word ?? code, message: takenBackMessage, ...trace };
  const message = failedCodes.get(code);
  return message === undefined ? open(code, word, trace) : { outcome: "failure", code, message, ...trace };
}

const failedWord = { message: "The biller did not deliver." } as const;

type Trace = { readonly trace?: RailTrace };

type ReadTransaction =
  | { readonly answer: Unknown }
  | {
      readonly answer?: undefined;
      readonly code: string;
      readonly body: WireRecord;
      /** The state of the transaction, in small letters. */
      readonly word: string | undefined;
      readonly trace: Trace;
    };

/** Reads what is about our order and contradicts neither it nor itself. */
export function readTransaction(reply: WireReply, { requestId }: Pick<VendQuestion, "requestId">): ReadTransaction {
  const read = readReply(reply);
  if (read.kind === "nothing") {
    return { answer: { outcome: "unknown", code: null, ...(read.hold === undefined ? {} : { hold: read.hold }) } };
  }
  const { code, body } = read;
  const transaction = recordAt(body, "content", "transactions");
  const word = textOf(transaction["status"])?.trim().toLowerCase();
  const trace = traceOf(transaction);
  const theirs = textOf(body["requestId"]);
  if (theirs !== undefined && theirs !== requestId) {
    return { answer: { outcome: "unknown", code, alarm: "VTpass replied about another request id.", ...trace } };
  }
  if (word === "delivered" && (failedCodes.has(code) || refusalCodes.has(code) || code === reversed)) {
    return { answer: { outcome: "unknown", code, alarm: `VTpass says delivered and ${code} at once.`, ...trace } };
  }
  return { code, body, word, trace };
}

function delivered(body: WireRecord, order: VendQuestion, trace: Trace): VendAnswer {
  if (textOf(body["requestId"]) !== order.requestId) return { outcome: "unknown", code: "no_request_id", ...trace };
  const price = priceIn(body);
  if (price !== order.amount) {
    const theirs = price === undefined ? "an amount that cannot be read" : `${price} kobo`;
    const alarm = `VTpass delivered for ${theirs}, and ${order.amount} kobo were ordered.`;
    return { outcome: "unknown", code: "amount_differs", alarm, ...trace };
  }
  const delivery = deliveryIn(body, order);
  return delivery === undefined
    ? { outcome: "unknown", code: "token_missing", ...trace }
    : { outcome: "success", delivery, ...trace };
}

/** What was bought. `total_amount` is what our account at VTpass was debited: less its commission, plus its fee. */
export function priceIn(body: WireRecord): Kobo | undefined {
  const transaction = recordAt(body, "content", "transactions");
  const named = [transaction["unit_price"], body["amount"], transaction["amount"]];
  return nairaOf(named.find((value) => textOf(value) !== undefined));
}

function traceOf(transaction: WireRecord): Trace {
  const providerReference = textOf(transaction["transactionId"]);
  const fee = nairaOf(transaction["convinience_fee"]);
  if (providerReference === undefined) return {};
  return { trace: { providerReference, ...(fee === undefined ? {} : { fee }) } };
}

function open(code: string, word: string | undefined, trace: Trace): Unknown {
  return { outcome: "unknown", code: code === processed ? (word ?? code) : code, ...trace };
}

/** What the customer gets to hold, out of the many shapes in which the electricity companies send it. */
const tokenNames = ["mainToken", "token", "Token", "purchased_code"] as const;
const unitNames = ["mainTokenUnits", "units", "Units", "PurchasedUnits"] as const;

/** Undefined while a prepaid meter's token is missing: without it the customer has nothing. */
export function deliveryIn(body: WireRecord, { category, meterType }: VendQuestion): Delivery | undefined {
  const receiptNumber =
    textOf(body["exchangeReference"]) ?? textOf(recordAt(body, "content", "transactions")["transactionId"]) ?? null;
  if (category !== "electricity" || meterType !== "prepaid") return { token: null, units: null, receiptNumber };
  const token = firstIn(body, tokenNames, readToken);
  return token === undefined ? undefined : { token, units: firstIn(body, unitNames, readUnits) ?? null, receiptNumber };
}

function firstIn<T>(body: WireRecord, names: readonly string[], read: (text: string) => T | undefined): T | undefined {
  for (const place of [body, recordAt(body, "content"), recordAt(body, "content", "transactions")]) {
    for (const name of names) {
      const text = textOf(place[name]);
      const found = text === undefined ? undefined : read(text);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Bare, in groups of four, or after "Token :"; anything but 20 digits is not a token. */
function readToken(text: string): string | undefined {
  const digits = text.replace(/^\s*token\s*:?/i, "").replaceAll(/[\s-]/g, "");
  return /^\d{20}$/.test(digits) ? digits : undefined;
}

/** Kilowatt hours to two decimals; what is less than a hundredth is cut off. */
function readUnits(text: string): string | undefined {
  const parts = /^(\d{1,10})(?:\.(\d+))?\s*(?:kwh)?$/i.exec(text.trim().replaceAll(",", ""));
  if (parts === null) return undefined;
  const [, whole = "", fraction = ""] = parts;
  return `${BigInt(whole)}.${fraction.slice(0, 2).padEnd(2, "0")}`;
}
