/**
 * Paystack's webhooks. The signature is the hexadecimal HMAC-SHA512 of the body as it arrived, under the secret key. A
 * genuine event says only what to ask about; its amounts and states are not read.
 */
import { isSigned } from "../hook-signature.ts";
import type { Hint, HookRequest } from "../provider.ts";
import { parseWireJson, recordAt, textOf, type WireRecord } from "../wire-json.ts";
import { walletOf } from "./inbound.ts";

/** The body of a request that Paystack signed; undefined when it did not. */
export function readSigned(secretKey: string, { body, headers }: HookRequest): unknown {
  if (!isSigned(secretKey, body, headers["x-paystack-signature"])) return undefined;
  return parseWireJson(body.toString("utf8")) ?? {};
}

export function readHook(secretKey: string, request: HookRequest): Hint {
  const body = readSigned(secretKey, request);
  if (body === undefined) return { about: "forged" };
  const event = textOf(recordAt(body).event) ?? "unreadable";
  const subject = subjectOf(event, recordAt(body, "data"));
  return subject?.id === undefined ? { about: "nothing", event } : { about: subject.about, id: subject.id, event };
}

interface Subject {
  readonly about: "bank" | "card" | "inbound";
  readonly id: string | undefined;
}

function subjectOf(event: string, data: WireRecord): Subject | undefined {
  if (event.startsWith("transfer.")) return { about: "bank", id: textOf(data.reference) };
  if (event === "charge.success") {
    // A credit to an account number has a reference of Paystack's making; only its id tells it from others.
    if (data.channel === "dedicated_nuban") return { about: "inbound", id: textOf(data.id) };
    return { about: "card", id: textOf(data.reference) };
  }
  // One page of Paystack's writes the same event in another way.
  if (/^(dedicatedaccount\.assign|assigndedicatedaccount)\./.test(event)) {
    return { about: "inbound", id: walletOf(recordAt(data, "customer").email) };
  }
  if (event.startsWith("refund.")) return { about: "card", id: textOf(data.transaction_reference) };
  return undefined;
}
