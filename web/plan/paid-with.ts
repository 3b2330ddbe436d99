import { cardName } from "../shared/card-name.ts";
import { entryOf } from "../shared/entry-of.ts";
import type { Payment } from "./plan-view.ts";

const channels: Readonly<Record<string, string>> = {
  card: "By card",
  wallet: "Through the shop",
  cash: "In cash at the shop",
  bank_transfer: "By bank transfer",
};

/** Visa card ending 4081, or how else it was paid; and whether it was taken back. */
export function paidWith({ card, channel, status }: Payment): string {
  const way = card === null ? (entryOf(channels, channel) ?? "Paid") : cardName(card);
  return status === "reversed" ? `${way}, taken back` : way;
}
