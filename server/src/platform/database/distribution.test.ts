/**
 * Environments can be spread over several machines by `environment_id`, by Citus and its like or by hand, because every
 * key of a tenant's table has it. What does not is here, with the reason why it does no harm.
 */
import pg from "pg";
import { expect, test } from "vitest";
import { createTestDatabase } from "../../../testing/database.ts";

const { ownerUrl } = await createTestDatabase();

const everywhere = "it names a table without tenants, which every machine has a copy of";
const random = "a hash of 32 random bytes: two are never the same, and a stranger brings nothing else to be found by";
const byProvider = "numbers that a provider gave out are looked for when money comes in for nobody who is known yet";

const exceptions: Readonly<Record<string, string>> = {
  "accounts.accounts_tenant_id_fkey": everywhere,
  "bill_validations.bill_validations_catalogue_version_fkey": everywhere,
  "rail_traces.rail_traces_connection_id_fkey": everywhere,
  "virtual_accounts.virtual_accounts_connection_id_fkey": everywhere,
  "wallets.wallets_connection_id_fkey": everywhere,
  "api_keys.api_keys_by_hash": random,
  "card_links.card_links_by_token": random,
  "checkout_sessions.checkout_sessions_by_token": random,
  "plan_pages.plan_pages_by_token": random,
  "plan_visits.plan_visits_by_token": random,
  "wallets.wallets_by_account_number": byProvider,
  "wallets.wallets_by_holder": byProvider,
  "wallets.wallets_by_provider_number": byProvider,
};

/** Keys and unique indexes of tenants' tables, and their references to other tables, that lack the tenant. */
const question = `
  with tenants as (
    select c.oid, c.relname, a.attnum
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'environment_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition)
  select t.relname || '.' || i.relname as name
  from tenants t join pg_index x on x.indrelid = t.oid and x.indisunique join pg_class i on i.oid = x.indexrelid
  where not t.attnum = any (x.indkey::smallint[])
  union all
  select t.relname || '.' || f.conname
  from tenants t join pg_constraint f on f.conrelid = t.oid and f.contype = 'f'
  where not t.attnum = any (f.conkey)
  order by 1`;

test("every key of a tenant's table contains the tenant, but for those that are explained", async () => {
  const client = new pg.Client(ownerUrl);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(question);
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(exceptions).sort());
  } finally {
    await client.end();
  }
});
