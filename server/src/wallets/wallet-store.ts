/** Reading and writing wallets. Balances are the ledger's. */

import { sql } from "kysely";
import type { Tx } from "../platform/database/database.ts";
import type { Row } from "../platform/database/row.ts";
import { findOnlyPlace } from "../platform/records/only-place.ts";
import type { PositionRange } from "../platform/records/pagination.ts";
import type { Wallet } from "./wallet.ts";

const columns = [
  "id",
  "is_main",
  "account_name",
  "account_number",
  "external_id",
  "connection_id",
  "bank_name",
  "holder_reference",
  "created_at",
] as const;

type WalletRow = Row<"wallets", (typeof columns)[number]>;

/** False when the number is taken: one that we made up, in this environment or any other. */
export async function insertWallet(tx: Tx, wallet: Wallet, listPosition: bigint | null): Promise<boolean> {
  const inserted = await tx
    .insertInto("wallets")
    .values({
      environment_id: tx.environment.id,
      id: wallet.id,
      is_main: wallet.isMain,
      account_name: wallet.accountName,
      account_number: wallet.accountNumber,
      external_id: wallet.externalId,
      connection_id: wallet.provided?.connectionId ?? null,
      bank_name: wallet.provided?.bankName ?? null,
      holder_reference: wallet.provided?.holderReference ?? null,
      created_at: wallet.createdAt,
      list_position: listPosition,
    })
    .onConflict((conflict) => conflict.column("account_number").where("connection_id", "is", null).doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

export async function findWallet(tx: Tx, id: string): Promise<Wallet | undefined> {
  const row = await tx
    .selectFrom("wallets")
    .select(columns)
    .where("environment_id", "=", tx.environment.id)
    .where("id", "=", id)
    .executeTakeFirst();
  return row === undefined ? undefined : toWallet(row);
}

/** Of these ids, those that are wallets of the environment. */
export async function filterWallets(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await sql<{ id: string }>`
    select id from wallets
    where environment_id = ${tx.environment.id} and id = any (${ids}::uuid[])`.execute(tx);
  return new Set(found.rows.map((row) => row.id));
}

export async function findWalletByNumber(tx: Tx, accountNumber: string): Promise<Wallet | undefined> {
  const row = await tx
    .selectFrom("wallets")
    .select(columns)
    .where("environment_id", "=", tx.environment.id)
    .where("account_number", "=", accountNumber)
    .executeTakeFirst();
  return row === undefined ? undefined : toWallet(row);
}

/** Sub-accounts by their places in the list, newest first. */
export async function readWallets(tx: Tx, { first, last }: PositionRange): Promise<Wallet[]> {
  const rows = await tx
    .selectFrom("wallets")
    .select(columns)
    .where("environment_id", "=", tx.environment.id)
    .where("list_position", ">=", first)
    .where("list_position", "<=", last)
    .orderBy("list_position", "desc")
    .limit(100)
    .execute();
  return rows.map(toWallet);
}

/** Whose wallet it is, for an operator who names it by its id alone. Throws invalid_state if two sandboxes have it. */
export function findWalletEnvironment(tx: Tx, id: string): Promise<string | undefined> {
  return findOnlyPlace(tx, "wallets", id);
}

function toWallet(row: WalletRow): Wallet {
  return {
    id: row.id,
    isMain: row.is_main,
    accountName: row.account_name,
    accountNumber: row.account_number,
    externalId: row.external_id,
    provided: providedIn(row),
    createdAt: row.created_at,
  };
}

function providedIn({
  connection_id: connectionId,
  bank_name: bankName,
  holder_reference: holderReference,
}: WalletRow) {
  if (connectionId === null || bankName === null || holderReference === null) return null;
  return { connectionId, bankName, holderReference };
}
