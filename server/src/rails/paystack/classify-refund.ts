/** What Paystack says about refunds. They have no reference: ours are found by their note. Pure and total. */
import type { Unknown } from "../answer.ts";
import type { CardRefundAnswer, CardRefusal } from "../card.ts";
import type { ConnectionMode } from "../provider.ts";
import type { WireReply } from "../provider-client.ts";
import { koboOf, recordAt, textOf, type WireRecord } from "../wire-json.ts";
import type { RefundCommand } from "./card-calls.ts";
import { dataIn, holdIn, refusalIn, unknownFrom } from "./refusal.ts";

export interface ExpectedRefund extends RefundCommand {
  readonly mode: ConnectionMode;
}

/** A refund of ours exists, or not; and what is to be said about it. */
export type RefundFacts =
  | { readonly isOrdered: true; readonly answer: CardRefundAnswer }
  | { readonly isOrdered: false; readonly answer: CardRefusal | Unknown };

/** One of a list, by our note. */
export function findOurs(rows: readonly unknown[], { note }: Pick<RefundCommand, "note">): WireRecord | undefined {
  return rows.map((row) => recordAt(row)).find((row) => row.merchant_note === note);
}

export function classifyRefund(row: WireRecord, expected: ExpectedRefund): CardRefundAnswer {
  const word = textOf(row.status) ?? "";
  const providerReference = textOf(row.id);
  const trace = providerReference === undefined ? {} : { trace: { providerReference } };
  const agrees =
    koboOf(row.amount) === expected.amount &&
    row.currency === "NGN" &&
    (row.domain === undefined || row.domain === expected.mode);
  if (!agrees) {
    const alarm = "Paystack's record of a refund has another amount, currency or mode than ours";
    return { outcome: "unknown", code: word, alarm, ...trace };
  }
  if (word === "processed") return { outcome: "success", ...trace };
  if (word === "failed") {
    return { outcome: "declined", code: "refund_failed", message: "The bank did not take the money back." };
  }
  if (word !== "needs-attention") return { outcome: "unknown", code: word, ...trace };
  const alarm =
    "Paystack needs the bank account of a customer for a refund: give it in Paystack's dashboard, under the refund";
  return { outcome: "unknown", code: word, alarm, ...trace };
}

export function classifyOrder(reply: WireReply, expected: ExpectedRefund): RefundFacts {
  const data = dataIn(reply);
  if (data !== undefined) return { isOrdered: true, answer: classifyRefund(data, expected) };
  const refusal = refusalIn(reply);
  const isDefinite = refusal !== undefined && refusal.status === 400 && holdIn(reply) === undefined;
  if (!isDefinite || /try again|later|temporar/i.test(refusal.words)) {
    return { isOrdered: false, answer: unknownFrom(reply) };
  }
  if (refusal.code === "transaction_reversed" || /fully reversed/i.test(refusal.words)) {
    const message = "This payment was given back in full already, and not by us.";
    const alarm = "Paystack has given a payment back that we did not refund: look for it in the dashboard";
    return { isOrdered: false, answer: { outcome: "declined", code: "refunded_elsewhere", message, alarm } };
  }
  const message = "The card processor refused to give the money back.";
  return { isOrdered: false, answer: { outcome: "declined", code: "refund_refused", message } };
}
