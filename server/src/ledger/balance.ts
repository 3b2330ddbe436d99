import { sql } from "kysely";
import { type Kobo, kobo } from "../money/kobo.ts";
import type { Tx } from "../platform/database/database.ts";

/** The balances now, by account id. One statement, hence one moment: a fold under way is never counted twice. */
export async function readBalances(tx: Tx, accountIds: readonly string[]): Promise<ReadonlyMap<string, Kobo>> {
  const result = await sql<{ id: string; balance: bigint }>`
    select a.id, a.balance + coalesce(
      (select sum(d.amount)::bigint from account_deltas d
       where not a.has_floor and d.environment_id = a.environment_id and d.account_id = a.id), 0) as balance
    from accounts a
    where a.environment_id = ${tx.environment.id} and a.id = any (${accountIds}::uuid[])`.execute(tx);
  return new Map(result.rows.map((row) => [row.id, kobo(row.balance)]));
}

/** The balances of those accounts that cannot go below zero. */
export async function readFloored(tx: Tx, accountIds: readonly string[]): Promise<ReadonlyMap<string, Kobo>> {
  const found = await tx
    .selectFrom("accounts")
    .select(["id", "balance"])
    .where("environment_id", "=", tx.environment.id)
    .where("has_floor", "=", true)
    .where("id", "in", accountIds)
    .execute();
  return new Map(found.map((row) => [row.id, kobo(row.balance)]));
}
