/** What a caller typed, read in every way that it could be meant: an id, a number, an amount, words. */
import { type Kobo, parseNaira } from "../money/kobo.ts";
import { isUuid } from "../platform/database/ids.ts";
import { parseMobileNumber } from "../platform/phone-number.ts";

export interface Sought {
  /** As it was typed, without blanks around it. */
  readonly text: string;
  /** It is an id of ours, or a merchant's own. */
  readonly id: string | null;
  /** All ways in which a column may have it: 0803 123 4567 is stored as +2348031234567. */
  readonly forms: readonly string[];
  readonly amount: Kobo | null;
  /** In small letters. Empty where it is too short to be looked for inside of texts. */
  readonly words: readonly string[];
}

const leastLetters = 3;
const mostWords = 5;

/** Null when nothing is left of it. */
export function readSought(typed: string): Sought | null {
  const text = typed.normalize("NFC").trim();
  if (text === "") return null;
  const id = isUuid(text) ? text.toLowerCase() : null;
  return {
    text,
    id,
    forms: [...new Set([text, ...numbersIn(text)])],
    amount: amountIn(text),
    words: id === null && text.length >= leastLetters ? wordsIn(text) : [],
  };
}

/** Digits as people group them: 0123 456 789, 0803-123-4567, +234 803 123 4567. */
function numbersIn(text: string): string[] {
  const digits = text.replaceAll(/[\s().-]/g, "");
  if (!/^\+?\d{6,40}$/.test(digits)) return [];
  const phone = parseMobileNumber(digits);
  return phone === undefined ? [digits] : [digits, phone, phone.slice(1), `0${phone.slice(4)}`];
}

/** 2500, 2,500.50, ₦2500 and NGN 2,500. What begins with a nought is a number of something else. */
function amountIn(text: string): Kobo | null {
  const digits = text.replace(/^(?:₦|NGN|N)\s*/i, "").replaceAll(/,(?=\d{3}(?:\D|$))/g, "");
  const amount = /^0\d/.test(digits) ? undefined : parseNaira(digits);
  return amount === undefined || amount <= 0n ? null : amount;
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().split(/\s+/u).slice(0, mostWords);
}
