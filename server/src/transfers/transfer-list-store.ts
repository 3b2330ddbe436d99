/** Lists of payouts (`platform/records/counted-list.ts`). A payout enters the indexes by bank and amount when it ends. */
import { sql } from "kysely";
import type { Kobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";
import { keysOf } from "../platform/keys-of.ts";
import { type CountedList, type ListQuestion, readList } from "../platform/records/counted-list.ts";
import type { PageRequest } from "../platform/records/pagination.ts";
import { payoutList, type Transfer, transferTransitions } from "./transfer.ts";
import { type TransferRow, toTransfer, transferColumns } from "./transfer-store.ts";

export interface TransferQuestion extends ListQuestion {
  readonly bankCode: string | null;
  /** Both count in. */
  readonly minAmount: Kobo | null;
  readonly maxAmount: Kobo | null;
}

export const payouts: CountedList<Transfer, TransferRow> = {
  table: "transfers",
  columns: transferColumns,
  toRecord: toTransfer,
  resource: payoutList,
  only: sql`t.purpose = 'payout'`,
  statuses: keysOf(transferTransitions),
  open: ["pending", "processing"],
};

/** One page of the environment's payouts, newest first. */
export function listTransfers(tx: Tx, question: TransferQuestion, page: PageRequest) {
  const { bankCode, minAmount, maxAmount } = question;
  const further = [
    ...(bankCode === null ? [] : [sql`t.bank_code = ${bankCode}`]),
    ...(minAmount === null ? [] : [sql`t.amount >= ${minAmount}`]),
    ...(maxAmount === null ? [] : [sql`t.amount <= ${maxAmount}`]),
  ];
  return readList(tx, payouts, { ...question, further }, page);
}
