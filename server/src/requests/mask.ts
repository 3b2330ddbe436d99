/**
 * Bodies and addresses as the log keeps them. Three nets: a field whose name says that it is secret or personal is
 * masked at any depth and of any type; every text is searched for keys, cards and personal numbers, as the server's own
 * log is; and no number of nine digits or more stays whole, wherever it stands. Account numbers have ten, and people
 * write them into narrations.
 */
import { isUuid } from "../platform/database/ids.ts";
import { maskDigits } from "../platform/mask-digits.ts";
import { isSensitiveName, redacted, redactText } from "../platform/redact.ts";

/** What is longer is cut. */
const mostKept = 4_096;
/** What is longer is not even read: a mask costs time for every byte. */
const mostRead = 32_768;

/** The last four digits stay, so that a developer recognises what was sent. */
const numbers =
  /^(?:.*phone.*|.*account_?n(?:o|umber)|.*meter_?number|.*card_?number|customer(?:_?id)?|identifier|to)$/i;
const personal = /^(?:.*email|(?:first|last|account|customer|sender|expected)_?name|date_?of_?birth|.*address)$/i;
const places = /^l(?:ong|at)itude$/i;
/** Codes that customers are sent: in fields of this name, and in messages. */
const codes = /^(?:.*code|text|message)$/i;
const codeDigits = /(?<![\d.,-])\d{4,8}(?![\d,-]|\.\d)/g;

/** Text that is not JSON is not kept: nobody knows which part of it is whose. */
export function maskBody(text: string): string | null {
  if (text.length > mostRead) return null;
  try {
    return JSON.stringify(maskValue("", JSON.parse(text))).slice(0, mostKept);
  } catch {
    return null;
  }
}

/** A query has named fields, too. */
export function maskUrl(url: string): string {
  const [path = "", query] = url.split("?", 2);
  if (query === undefined) return maskText(path);
  const fields = [...new URLSearchParams(query)].map(([name, value]) => `${maskText(name)}=${maskField(name, value)}`);
  return `${maskText(path)}?${fields.join("&")}`;
}

/** Ids and days are passed over. */
const longNumbers = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\d(?![\d-])|\d(?:[ -]?\d){8,}/gi;
/** An address may open a customer's page; where it leads is enough to recognise it. */
const addresses = /\b(https?:\/\/[^\s/?#"'\\]+)[/?#][^\s"'\\]+/gi;

export function maskText(text: string): string {
  return redactText(text)
    .replace(addresses, "$1/…")
    .replace(longNumbers, (found) => (/[a-f]/i.test(found) || isPassedOver(found) ? found : maskDigits(found)));
}

function isPassedOver(found: string): boolean {
  return isUuid(found) || /^\d{4}-\d\d-\d\d$/.test(found);
}

function maskValue(name: string, value: unknown): unknown {
  if (value === null || typeof value === "boolean") return value;
  if (isSensitiveName(name)) return redacted;
  if (Array.isArray(value)) return value.map((one) => maskValue(name, one));
  if (typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([inner, one]) => [maskText(inner), maskValue(inner, one)]));
  }
  const masked = maskField(name, String(value));
  return masked === String(value) ? value : masked;
}

function maskField(name: string, value: string): string {
  if (isUuid(value)) return value;
  if (isSensitiveName(name)) return redacted;
  if (personal.test(name)) return `${value.slice(0, 1)}***`;
  if (places.test(name)) return redacted;
  if (numbers.test(name) && /\d{5}/.test(value)) return maskDigits(value);
  const masked = maskText(value);
  return codes.test(name) ? masked.replace(codeDigits, redacted) : masked;
}
