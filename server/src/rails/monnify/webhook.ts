/**
 * Monnify's webhooks. The signature is the hexadecimal HMAC-SHA512 of the body as it arrived, under the secret key; the
 * prose of its page describes another hash, its library and its sample agree with this one.
 */
import { isSigned } from "../hook-signature.ts";
import type { Hint, HookRequest } from "../provider.ts";
import { parseWireJson, recordAt, textOf } from "../wire-json.ts";

const aboutPayouts: ReadonlySet<string> = new Set([
  "SUCCESSFUL_DISBURSEMENT",
  "FAILED_DISBURSEMENT",
  "REVERSED_DISBURSEMENT",
]);

export function readHook(secretKey: string, { body, headers }: HookRequest): Hint {
  if (!isSigned(secretKey, body, headers["monnify-signature"])) return { about: "forged" };
  const told = parseWireJson(body.toString("utf8"));
  const event = textOf(recordAt(told).eventType) ?? "unreadable";
  const id = textOf(recordAt(told, "eventData").reference);
  return aboutPayouts.has(event) && id !== undefined ? { about: "bank", id, event } : { about: "nothing", event };
}
