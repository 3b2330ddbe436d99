/**
 * No search reads a table from end to end, and none reads more of the newest than it says, whoever fills the tables.
 * PostgreSQL itself counts: how often it began to read a table as a whole, and how many rows it fetched.
 */
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { inEnvironment, type Tx } from "../../server/src/platform/database/database.ts";
import { searchAll } from "../../server/src/search/routes.ts";
import { searchDepth } from "../../server/src/search/search-store.ts";
import { house } from "../../server/src/start/slices.ts";
import { createTestApp } from "../../server/testing/app.ts";
import { asOwner } from "../../server/testing/work.ts";

const { db, ownerUrl, merchant, otherMerchant } = await createTestApp();
const many = 22_000;

const ofEach = (rows: (environment: string) => string) =>
  asOwner(ownerUrl, [merchant, otherMerchant].map(({ environment }) => rows(`'${environment.id}'::uuid`)).join(";\n"));

const from = `from generate_series(1, ${many}) n`;
const id = "('019a0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid";
const phone = "'+234803' || lpad(n::text, 7, '0')";

beforeAll(async () => {
  await ofEach(
    (e) => `
    insert into accounts (environment_id, id, purpose, has_floor, created_at) select ${e}, ${id}, 'wallet', true,
        now() ${from};
    insert into wallets (environment_id, id, is_main, account_name, account_number, created_at, list_position)
      select ${e}, ${id}, false, 'Wallet ' || n, '1' || lpad((n + (select count(*) from wallets))::text, 9, '0'),
        now(), n ${from};
    insert into transfers (environment_id, id, reference, source_account_id, account_number, account_name,
        bank_code, amount,
        fee, vat, stamp_duty, status, list_position, created_at, updated_at, completed_at, session_id)
      select ${e}, ${id}, 'ref-' || n, ${e}, lpad(n::text, 10, '0'), 'ADA OBI', '058', n * 100, 0, 0, 0, 'completed',
        n, now(), now(), now(), '9' || lpad(n::text, 29, '0') ${from};
    insert into reference_claims (environment_id, kind, reference, record_id)
      select ${e}, kind, 'ref-' || n, ${id} ${from}, unnest(array['transfers', 'bills', 'sub_accounts']) kind;
    insert into bills (environment_id, id, reference, category, provider, product_code, product_name, customer,
        amount, fee,
        commission, catalogue_version, status, list_position, created_at, updated_at, request_id, completed_at)
      select ${e}, ${id}, 'ref-' || n, 'airtime', 'MTN', 'x', 'MTN airtime', ${phone}, n * 100, 0, 0, 1,
        'successful', n,
        now(), now(), 'r' || n, now() ${from};
    insert into customers (environment_id, id, list_position, bvn_index, sealed_bvn, first_name, last_name, email,
        phone,
        kyc_status, created_at, updated_at)
      select ${e}, ${id}, n, sha256(n::text::bytea), '\\x00', 'Ada', 'Obi ' || n, n || '@example.com', ${phone},
        'verified',
        now(), now() ${from};
    insert into loan_applicants (environment_id, id, bvn_index, sealed_bvn, sealed_nin, first_name, last_name,
        phone, email,
        created_at, updated_at)
      select ${e}, ${id}, sha256(n::text::bytea), '\\x00', '\\x00', 'Ada', 'Obi', ${phone}, 'a@example.com', now(),
        now() ${from};
    insert into loan_requests (environment_id, id, list_position, reference, applicant_id, first_name, last_name,
        phone, email,
        sealed_nin, amount, tenure, tenure_type, bank_code, account_number, latitude, longitude, status,
        created_at, updated_at)
      select ${e}, ${id}, n, ${id}, ${id}, 'Ada', 'Obi', ${phone}, 'a@example.com', '\\x00', n * 100, 3, 'monthly',
        '058',
        lpad(n::text, 10, '0'), '0', '0', 'active', now(), now() ${from};
    insert into wallet_movements (environment_id, id, kind, reference, to_account_id, amount, created_at)
      select ${e}, ${id}, 'own_transfer', 'ref-' || n, ${e}, n * 100, now() ${from};
    insert into events (environment_id, id, event, resource_type, resource_id, resource_version, data, created_at,
        list_position)
      select ${e}, ${id}, 'transfer.completed', 'transfer', ${id}, 1, '{}', now(), n ${from};
    insert into checkout_sessions (environment_id, id, customer_id, order_reference, amount, bank_code,
        bank_account_no,
        success_url, cancel_url, status, token_hash, sealed_token, expires_at, created_at, updated_at)
      select ${e}, ${id}, ${id}, 'ref-' || n, n * 100, '058', '0123456789', 'x', 'x', 'open',
        sha256((${e}::text || n)::bytea), '\\x00', now(), now(), now() ${from}`,
  );
  await asOwner(ownerUrl, "analyze");
});

/** What this connection has read so far, of each table; PostgreSQL forgets it once it has passed it on. */
async function readSoFar(tx: Tx): Promise<Map<string, { whole: number; rows: number }>> {
  const found = await sql<{ table: string; whole: number; rows: number }>`
    select relname as table, seq_scan::integer as whole, (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as rows
    from pg_stat_xact_user_tables where relname <> 'environments'`.execute(tx);
  return new Map(found.rows.map(({ table, whole, rows }) => [table, { whole, rows }]));
}

const needles = [
  "ref-7",
  "019a0000-0000-7000-8000-000000000007",
  `9${"7777".padStart(29, "0")}`,
  "0000021999",
  "08030021999",
  "21,999.00",
  "obi 21999",
  "21999@example.com",
  "nothing like it",
  "%",
];

/** Tables that every test database has few rows of: reading one as a whole is the cheapest way. */
const filled = 20_000;

test.each(needles)("%s is looked for by indexes, and among the newest only", async (q) => {
  await inEnvironment(db, merchant.environment.id, async (tx) => {
    const sizes = await sql<{ table: string; rows: number }>`
      select relname as table, reltuples::integer as rows from pg_class where relkind = 'r'`.execute(tx);
    const large = new Set(sizes.rows.filter(({ rows }) => rows > filled).map(({ table }) => table));
    expect(large.size).toBeGreaterThanOrEqual(10);
    const before = await readSoFar(tx);
    await searchAll(tx, house.searched, q);
    for (const [table, after] of await readSoFar(tx)) {
      if (!large.has(table)) continue;
      const whole = after.whole - (before.get(table)?.whole ?? 0);
      const rows = after.rows - (before.get(table)?.rows ?? 0);
      expect({ table, whole, bounded: rows <= searchDepth + 200, rows }).toEqual({
        table,
        whole: 0,
        bounded: true,
        rows,
      });
    }
  });
});

test("what has an index is found though it is older than the newest", async () => {
  const found = await inEnvironment(db, merchant.environment.id, async (tx) => ({
    byReference: await searchAll(tx, house.searched, "ref-7"),
    bySession: await searchAll(tx, house.searched, `9${"7".padStart(29, "0")}`),
    byPhone: await searchAll(tx, house.searched, "08030000007"),
    byAmount: await searchAll(tx, house.searched, "7"),
  }));
  const old = "019a0000-0000-7000-8000-000000000007";
  expect(found.byReference.map(({ kind, id: each }) => [kind, each])).toEqual(
    expect.arrayContaining(["transfer", "bill", "wallet", "checkout_session"].map((kind) => [kind, old])),
  );
  expect(found.bySession).toMatchObject([{ kind: "transfer", id: old }]);
  expect(found.byPhone).toMatchObject([{ kind: "customer", id: old }]);
  expect(found.byAmount.filter(({ id: each }) => each === old)).toEqual([]);
});
