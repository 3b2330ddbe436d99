/**
 * Keeps secrets and personal numbers out of what is written down. Two nets: a field whose name says that it is
 * sensitive loses its value at any depth, and every string is searched for what looks like a key, a card or a
 * personal number, because such values also travel in error messages, database details and addresses.
 *
 * It works on the finished line rather than on the values that were logged: only there have messages, bound fields,
 * errors and their causes all taken their final form.
 */
import { passesLuhn } from "./luhn.ts";

export const redacted = "[redacted]";

const sensitiveWords = new Set([
  "bvn",
  "nin",
  "otp",
  "pin",
  "pan",
  "cvv",
  "cvc",
  "cvv2",
  "password",
  "passwd",
  "passphrase",
  "passcode",
  "secret",
  "secrets",
  "token",
  "tokens",
  "authorization",
  "cookie",
  "credentials",
  "signature",
]);
const sensitivePairs = new Set(["api key", "secret key", "master key", "private key", "card number"]);

/** Every sensitive name contains one of these, and so does most of what the search below finds. */
const mayBeSensitive =
  /bvn|nin|otp|pin|pan|cv[vc]|pass|secret|token|auth|cookie|credential|signature|(?:api|secret|master|private)[ _-]?key|card|[sp]k_|op_|whsec|v\d+:|bearer|basic|:\/\/|\d{11}|\d(?:[ -]?\d){14}/i;
const longNumber = /[:,[]\d{15,}/;

/** Takes a line of JSON and gives one back; most lines hold nothing suspicious and return as they came. */
export function redactLine(line: string): string {
  if (!mayBeSensitive.test(line)) return line;
  try {
    const fields: unknown = longNumber.test(line) ? JSON.parse(line, keepLongNumbers) : JSON.parse(line);
    return `${JSON.stringify(redactValue(fields))}\n`;
  } catch {
    return redactText(line);
  }
}

/** A number that is long enough for a card would lose digits as a double; as text it keeps them and is searched. */
function keepLongNumbers(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === "number" && (context?.source ?? "").length >= 15 ? context?.source : value;
}

function redactValue(value: unknown): unknown {
  if (typeof value === "string") return redactText(value);
  if (Array.isArray(value)) return value.map(redactValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, isSensitiveName(name) ? hide(inner) : redactValue(inner)]),
  );
}

/** Whether a value was there at all is worth knowing and gives nothing away. */
function hide(value: unknown): unknown {
  return value === null || typeof value === "boolean" ? value : redacted;
}

/** The names of fields are few and come again with every line. */
const judgedNames = new Map<string, boolean>();

export function isSensitiveName(name: string): boolean {
  const known = judgedNames.get(name);
  if (known !== undefined) return known;
  const sensitive = judgeName(name);
  if (judgedNames.size < 1_000) judgedNames.set(name, sensitive);
  return sensitive;
}

function judgeName(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  // The number of a television decoder's smart card is not a payment card's.
  if (words.includes("smart")) return false;
  return (
    words.some((word) => sensitiveWords.has(word)) ||
    words.some((word, place) => sensitivePairs.has(`${words[place - 1]} ${word}`)) ||
    ["apikey", "secretkey", "masterkey", "cardnumber"].includes(words.join(""))
  );
}

const keysAndTokens = /\b(?:[sp]k_(?:test|live)|op|whsec)_[A-Za-z0-9+/=_-]{6,}/g;
const authorizationValues = /\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{4,}/gi;
const addressPasswords = /(:\/\/[^\s:/@]*:)[^\s/@]+@/g;
const masterKeys = /\bv\d{1,5}:[A-Za-z0-9+/]{43}=/g;
/** `bvn: 222…`, `"otp":"123456"`, `password=…`, `Key (nin)=(123…)`, also when the quotes are escaped. */
const namedValues =
  /\b((?:[a-z]+[_-])*(?:bvn|nin|otp|pin|cvv|cvc|password|passwd|secret|token)["'\\)]*\s*[:=]\s*["'\\(]*)[^\s"'\\),;&}\]]+/gi;
/** `BVN 22212345678`, `the OTP is 123456`. */
const spokenValues = /\b((?:bvn|nin|otp|pin|cvv|cvc)\b[^\d\n]{1,16})\d{3,11}(?!\d)/gi;
/** Eleven digits that do not begin like a telephone number: a BVN or an NIN. */
const personalNumbers = /(?<![\d.])[1-9]\d{10}(?![\d])/g;
/** A UUID is matched first so that the digits in it are passed over. */
const cardNumbers = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<!\d)\d(?:[ -]?\d){14,18}(?!\d)/gi;

export function redactText(text: string): string {
  if (!mayBeSensitive.test(text)) return text;
  return text
    .replace(keysAndTokens, redacted)
    .replace(masterKeys, redacted)
    .replace(authorizationValues, `$1 ${redacted}`)
    .replace(addressPasswords, `$1${redacted}@`)
    .replace(namedValues, `$1${redacted}`)
    .replace(spokenValues, `$1${redacted}`)
    .replace(personalNumbers, redacted)
    .replace(cardNumbers, (digits) => (isCardNumber(digits) ? redacted : digits));
}

function isCardNumber(text: string): boolean {
  if (/[a-f]|-.*-.*-.*-/i.test(text)) return false;
  return passesLuhn(text.replace(/\D/g, ""));
}

/** The last four digits are enough to recognise an account, a card, a telephone, a BVN or an NIN. */
export function maskDigits(digits: string): string {
  return digits.slice(-4).padStart(digits.length, "*");
}
