/** A holder's name as a provider gives it, without padding; undefined where a word stands in for one. */
import { textOf } from "./wire-json.ts";

const fillers = /^(ok|okay|success|successful|approved|valid|n\/?a|nil|none|null|undefined|unknown|account|test)$/i;

export function accountNameOf(value: unknown): string | undefined {
  const name = textOf(value)?.replace(/\s+/g, " ").trim() ?? "";
  return /\p{L}{2}/u.test(name) && !fillers.test(name) ? name : undefined;
}
