/** Monnify's list of banks. Its codes are the CBN's; where it tells the switch's, they count. */
import { type BankList, bankCodesIn, type ListedBank, unreadBanks } from "../provider-banks.ts";
import { recordAt, textOf } from "../wire-json.ts";
import { listBanks, type MonnifyClient } from "./client.ts";
import { holdIn, listIn } from "./reply.ts";

export async function readMonnifyBanks(client: MonnifyClient): Promise<BankList> {
  const reply = await listBanks(client);
  const rows = listIn(reply);
  if (rows === undefined) return unreadBanks(holdIn(reply));
  return { isRead: true, codes: bankCodesIn(rows.flatMap(bankIn)) };
}

function bankIn(row: unknown): ListedBank[] {
  const { code, nipBankCode } = recordAt(row);
  const known = textOf(code);
  return known === undefined ? [] : [{ code: known, nipCode: textOf(nipBankCode) }];
}
