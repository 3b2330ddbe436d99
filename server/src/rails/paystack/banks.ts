/** Paystack's list of banks. It tells the codes of the interbank switch on request. */
import { type BankList, bankCodesIn, type ListedBank, unreadBanks } from "../provider-banks.ts";
import { recordAt, textOf } from "../wire-json.ts";
import { listBanks, type PaystackClient } from "./client.ts";
import { isPage } from "./page.ts";
import { holdIn } from "./refusal.ts";

const mostPages = 50;

export async function readPaystackBanks(client: PaystackClient): Promise<BankList> {
  const banks: ListedBank[] = [];
  let next: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const reply = await listBanks(client, next);
    if (!isPage(reply)) return unreadBanks(holdIn(reply));
    banks.push(...reply.body.data.flatMap(openBank));
    next = textOf(recordAt(reply.body, "meta").next);
    // One of Paystack's samples ends with the word.
    if (next === undefined || next === "null") return { isRead: true, codes: bankCodesIn(banks) };
  }
  return unreadBanks(undefined);
}

function openBank(row: unknown): ListedBank[] {
  const { code, nip_sort_code: nipCode, active, is_deleted: isDeleted, currency = "NGN" } = recordAt(row);
  const known = textOf(code);
  const isOpen = active !== false && isDeleted !== true && currency === "NGN";
  return known !== undefined && isOpen ? [{ code: known, nipCode: textOf(nipCode) }] : [];
}
