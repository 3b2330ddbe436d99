/** No overview reads a large table from end to end, nor more of it than its period has. PostgreSQL itself counts. */
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { readEnvironment, type Tx } from "../../server/src/platform/database/database.ts";
import { house } from "../../server/src/start/slices.ts";
import { mainWalletId } from "../../server/src/wallets/wallet.ts";
import { createTestApp } from "../../server/testing/app.ts";
import { asOwner } from "../../server/testing/work.ts";

const { db, ownerUrl, merchant, otherMerchant } = await createTestApp();
const many = 21_000;
/** A third of them: the newest are a minute apart, up to now. */
const inPeriod = 7_000;

const rowsOf = (environmentId: string) => `
  insert into transfers (environment_id, id, reference, source_account_id, account_number, bank_code, amount, fee, vat,
      stamp_duty, status, list_position, created_at, updated_at, completed_at)
    select '${environmentId}', (lpad(to_hex(floor(extract(epoch from t.at) * 1000)::bigint), 12, '0') ||
        '7' || lpad(to_hex(n % 4096), 3, '0') || '8' || lpad(to_hex(n), 15, '0'))::uuid,
      'ref-' || n, '${environmentId}', '0123456789', '058', 100, 0, 0, 0, 'completed', n, t.at, t.at, t.at
    from generate_series(1, ${many}) n, lateral (select now() - (${many} - n) * interval '1 minute' as at) t;
  insert into entries (environment_id, transaction_id, account_id, amount, balance_after, account_entry, posted_at)
    select '${environmentId}', gen_random_uuid(), '${mainWalletId(environmentId)}', -100, 0, n,
      now() - (${many} - n) * interval '1 minute'
    from generate_series(1, ${many}) n;
  update accounts set entry_count = ${many}
    where environment_id = '${environmentId}' and id = '${mainWalletId(environmentId)}'`;

beforeAll(async () => {
  const all = [merchant, otherMerchant].map(({ environment }) => rowsOf(environment.id)).join(";");
  // Half a posting is enough for a statement: the other legs are left out.
  await asOwner(ownerUrl, `set session_replication_role = replica; ${all}; analyze`);
});

interface Read {
  readonly whole: number;
  readonly rows: number;
}

async function readSoFar(tx: Tx): Promise<Map<string, Read>> {
  const found = await sql<Read & { table: string }>`
    select relname as table, seq_scan::integer as whole, (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as rows
    from pg_stat_xact_user_tables where relname in ('transfers', 'entries')`.execute(tx);
  return new Map(found.rows.map(({ table, ...read }) => [table, read]));
}

test("a third of the payouts costs a third, and nobody else's are read", async () => {
  await readEnvironment(db, merchant.environment.id, async (tx) => {
    const to = new Date();
    const from = new Date(to.getTime() - inPeriod * 60_000);
    const before = await readSoFar(tx);
    const told = new Map<string, unknown>();
    for (const { part, read } of house.overviews) {
      const { figures } = await read(tx, { from, to, by: "day" });
      if (part !== null) told.set(part.name, figures);
    }
    const after = await readSoFar(tx);
    expect(told.get("payouts")).toMatchObject({ byBank: [{ bankCode: "058", successRate: 1 }] });
    for (const table of ["transfers", "entries"]) {
      const now = after.get(table) ?? { whole: 0, rows: 0 };
      const was = before.get(table) ?? { whole: 0, rows: 0 };
      expect({ table, whole: now.whole - was.whole }).toEqual({ table, whole: 0 });
      // The statement is walked twice: to find where the period begins, and to sum it up.
      expect(now.rows - was.rows).toBeLessThan(2.2 * inPeriod);
      expect(now.rows - was.rows).toBeGreaterThan(0.9 * inPeriod);
    }
  });
});
