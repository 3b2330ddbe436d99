/**
 * Verifying one environment reads its own rows: a thousand sandboxes must not read each other's a thousand times.
 * Entries of accounts without a floor are in no index by environment, and are read from end to end.
 */
import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Tx } from "../../server/src/platform/database/database.ts";
import type { Difference } from "../../server/src/platform/records/difference.ts";
import { house } from "../../server/src/start/slices.ts";
import { verifyEnvironment } from "../../server/src/verification/verify-books.ts";
import { mainWalletId } from "../../server/src/wallets/wallet.ts";
import { createTestApp } from "../../server/testing/app.ts";
import { asOwner } from "../../server/testing/work.ts";

const { db, ownerUrl, merchant, otherMerchant } = await createTestApp();
const many = 20_000;

/** What a neighbour has: half a posting is enough to be read. */
const rowsOf = (id: string) => `
  insert into transfers (environment_id, id, reference, source_account_id, account_number, bank_code, amount, fee, vat,
      stamp_duty, status, list_position, created_at, updated_at, completed_at)
    select '${id}', gen_random_uuid(), 'ref-' || n, '${id}', '0123456789', '058', 100, 0, 0, 0, 'completed', n, now(),
      now(), now() from generate_series(1, ${many}) n;
  insert into ledger_transactions (environment_id, id, kind, resource_type, reference, posted_at)
    select '${id}', gen_random_uuid(), 'payout', 'transfer', 'ref-' || n, now() from generate_series(1, ${many}) n;
  insert into entries (environment_id, transaction_id, account_id, amount, balance_after, account_entry, posted_at)
    select '${id}', gen_random_uuid(), '${mainWalletId(id)}', -100, 0, n, now() from generate_series(1, ${many}) n;
  insert into events (environment_id, id, event, resource_type, resource_id, resource_version, data, created_at,
      list_position)
    select '${id}', gen_random_uuid(), 'transfer.completed', 'transfer', gen_random_uuid(), 1, '{}', now(), n
    from generate_series(1, ${many}) n;`;

test("an environment beside a large one is verified by its own rows", async () => {
  await asOwner(ownerUrl, `set session_replication_role = replica; ${rowsOf(otherMerchant.environment.id)}`);
  const read: Record<string, number> = {};
  const countRead = async (tx: Tx): Promise<Difference[]> => {
    const found = await sql<{ table: string; rows: number }>`
      select relname as table, (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as rows
      from pg_stat_xact_user_tables where seq_tup_read + coalesce(idx_tup_fetch, 0) > 0`.execute(tx);
    for (const { table, rows } of found.rows) read[table] = rows;
    return [];
  };
  const found = await verifyEnvironment(db, merchant.environment.id, [...house.checks, countRead]);
  expect(found).toEqual([]);
  expect(read).toHaveProperty("accounts");
  const { entries, ...indexed } = read;
  expect(entries).toBeLessThan(7 * many);
  expect(Object.entries(indexed).filter(([, rows]) => rows > many / 20)).toEqual([]);
});
