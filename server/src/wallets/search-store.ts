/** What can be found of wallets and of the money that they gain and lose by other ways than payouts and bills. */
import { sql } from "kysely";
import type { SearchedKind } from "../platform/records/search.ts";
import { ownTransferReferences } from "./own-transfer.ts";
import { subAccountList } from "./wallet.ts";

export const searchedWallets: readonly SearchedKind[] = [
  {
    kind: "wallet",
    table: "wallets",
    scope: "wallets:read",
    path: "/wallets/balance?accountId={id}",
    title: sql`t.account_name`,
    details: sql`array[t.account_number, t.bank_name]`,
    references: [subAccountList],
    indexed: [{ column: "account_number", only: sql`t.connection_id is null` }],
    newestBy: "id",
    exactly: ["account_number"],
    text: sql`concat_ws(' ', t.account_name, t.external_id)`,
  },
  {
    kind: "wallet_movement",
    table: "wallet_movements",
    scope: "wallets:read",
    path: "/traces/{id}",
    title: sql`coalesce(t.reference, t.sender_name, initcap(replace(t.kind, '_', ' ')))`,
    details: sql`array[initcap(replace(t.kind, '_', ' ')), t.sender_name, t.reason]`,
    amountColumn: "amount",
    references: [ownTransferReferences],
    newestBy: "id",
    exactly: ["reference"],
    text: sql`concat_ws(' ', t.reference, t.sender_name)`,
  },
];
