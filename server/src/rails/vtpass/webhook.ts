/**
 * Webhooks of VTpass carry no signature: anybody can send one. So they say only what to ask about. Nothing in them is
 * believed, and one that cannot be read changes nothing.
 */
import type { Hint, HookRequest } from "../provider.ts";
import { parseWireJson, recordAt, textOf } from "../wire-json.ts";

/** Anything else makes VTpass send the same again, five times. */
export const hookReply = { response: "success" } as const;

/** Request ids as we make them. */
const ours = /^\d{12}[0-9a-f]{32}$/;

export function readHook({ body }: HookRequest): Hint {
  const parsed = parseWireJson(body.toString("utf8"));
  const event = textOf(recordAt(parsed)["type"])?.slice(0, 100) ?? "unreadable";
  if (event === "variations-update") return { about: "products", event };
  const id = textOf(recordAt(parsed, "data")["requestId"]) ?? textOf(recordAt(parsed)["requestId"]) ?? "";
  return event === "transaction-update" && ours.test(id) ? { about: "biller", id, event } : { about: "nothing", event };
}
