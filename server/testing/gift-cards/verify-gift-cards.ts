import { sql } from "kysely";
import { systemAccountId } from "../../src/ledger/account.ts";
import { readBalances } from "../../src/ledger/balance.ts";
import type { Tx } from "../../src/platform/database/database.ts";
import type { Difference } from "../../src/platform/records/difference.ts";
import { settlementAccount } from "./gift-card.ts";

/** What was paid to the vendor is the price of what was delivered. */
export async function verifyGiftCards(tx: Tx): Promise<Difference[]> {
  const account = systemAccountId(tx.environment.id, settlementAccount);
  const paid = (await readBalances(tx, [account])).get(account) ?? 0n;
  const delivered = await sql<{ total: bigint }>`
    select coalesce(sum(amount), 0)::bigint as total from gift_cards
    where environment_id = ${tx.environment.id} and status = 'delivered'`.execute(tx);
  const expected = delivered.rows[0]?.total ?? 0n;
  if (expected === paid) return [];
  return [{ check: "gift cards", subject: settlementAccount, expected: String(expected), found: String(paid) }];
}
