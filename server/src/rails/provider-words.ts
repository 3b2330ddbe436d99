/**
 * What a provider wrote, made fit to be stored and shown: short, on one line, and without anything that could be a key,
 * an account number, a telephone number or an identity number.
 */
import { recordAt, textOf } from "./wire-json.ts";

const longest = 160;

export function cleanWords(text: string): string {
  return text
    .replace(/\b[a-z]{2,}_(?:live|test|prod)_\w+/gi, "…")
    .replace(/\bAUTH_\w+/gi, "…")
    .replace(/[\w.+-]+@[\w.-]+/g, "…")
    .replace(/\d(?:[ -]?\d){5,}/g, "…")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, longest);
}

/** The text of a field of a reply, made fit to be shown; empty when there is none. */
export function wordsAt(body: unknown, name: string): string {
  return cleanWords(textOf(recordAt(body)[name]) ?? "");
}
