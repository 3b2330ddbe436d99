/** What can be found of payouts and batches. */
import { sql } from "kysely";
import type { SearchedKind } from "../platform/records/search.ts";
import { bankName } from "../rails/bank-directory.ts";
import { batchReferences } from "./batch.ts";
import { payoutList } from "./transfer.ts";

export const searchedTransfers: readonly SearchedKind[] = [
  {
    kind: "transfer",
    table: "transfers",
    scope: "transfers:read",
    path: "/transfers/{id}",
    only: sql`t.purpose = 'payout'`,
    title: sql`t.reference`,
    details: sql`array[t.account_name, t.account_number, t.bank_code]`,
    describe: ([name = null, number = null, code]) => [name, number, code ? bankName(code) : null],
    status: sql`t.status`,
    amountColumn: "amount",
    references: [payoutList],
    indexed: [{ column: "session_id" }],
    newestBy: "list_position",
    exactly: ["account_number"],
    text: sql`concat_ws(' ', t.reference, t.external_reference, t.account_name, t.narration)`,
  },
  {
    kind: "transfer_batch",
    table: "transfer_batches",
    scope: "transfers:read",
    path: "/transfers/bulk/{id}",
    title: sql`t.batch_reference`,
    details: sql`array[t.total_count || ' payouts']`,
    status: sql`case when t.completed_at is null then 'processing' else 'completed' end`,
    amountColumn: "total_amount",
    references: [batchReferences],
    newestBy: "id",
    text: sql`t.batch_reference`,
  },
];
