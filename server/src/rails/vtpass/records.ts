/** What VTpass has of an order, for reconciliation. It has no list, so it is asked about one at a time. */
import type { ProviderRecord, RecordQuestion } from "../provider.ts";
import { priceIn, readTransaction } from "./classify.ts";
import type { VtpassClient } from "./client.ts";
import { failedCodes, neverSeen, processed, reversed } from "./codes.ts";

export async function findVend(client: VtpassClient, question: RecordQuestion): Promise<ProviderRecord | null> {
  const { orderId, sentAt } = question;
  const read = readTransaction(await client.requery(orderId), { requestId: orderId });
  if (read.answer !== undefined) throw new Error("VTpass could not be asked about an order");
  const { code, body, word, trace } = read;
  if (code === neverSeen && word === undefined) return null;
  const status = statusOf(code, word);
  const amount = priceIn(body) ?? null;
  if (status === "success" && amount === null) throw new Error("VTpass tells no amount of an order");
  return {
    kind: "vend",
    providerReference: trace.trace?.providerReference ?? orderId,
    ourId: orderId,
    amount,
    fee: trace.trace?.fee ?? null,
    status,
    word: code === processed ? (word ?? code) : code,
    // Its own moments come in many forms, or not at all.
    createdAt: sentAt,
  };
}

function statusOf(code: string, word: string | undefined): ProviderRecord["status"] {
  if (failedCodes.has(code)) return "failure";
  if (code === reversed) return "taken_back";
  if (code !== processed) return "open";
  if (word === "delivered") return "success";
  if (word === "failed") return "failure";
  return word === "reversed" ? "taken_back" : "open";
}
