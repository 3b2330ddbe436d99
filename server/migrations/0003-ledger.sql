-- Double entry, append only, exact. An account with a floor (a wallet, a lender's funding account) never goes below
-- zero, carries its balance, and numbers its entries so that a statement is a range of numbers. An account without a
-- floor (transit, settlement, fees) is never locked by a payment: each batch adds one row to account_deltas, and its
-- balance is what is folded plus the deltas that are not.
create table accounts (
  environment_id uuid not null,
  id uuid not null,
  purpose text not null,
  currency text not null default 'NGN' check (currency = 'NGN'),
  has_floor boolean not null,
  balance bigint not null default 0,
  entry_count bigint not null default 0,
  created_at timestamptz not null,
  -- The operator has a ledger of its own, in its own scope: money that came in and belongs to no wallet yet. Its
  -- accounts belong to no tenant; every other account still belongs to an environment that exists.
  tenant_id uuid generated always as (nullif(environment_id, '00000000-0000-0000-0000-000000000000'::uuid)) stored
    references environments (id),
  primary key (environment_id, id),
  constraint accounts_floor check ((not has_floor) or balance >= 0),
  constraint accounts_operator_has_no_floor check (tenant_id is not null or (not has_floor))
) with (fillfactor = 50);
-- An environment has one of each system account; wallets are many, and each has its own account for money it has
-- committed but not yet lost (purpose "held").
create unique index accounts_one_system_account
  on accounts (environment_id, purpose) where (not has_floor) and purpose <> 'held';
call protect_tenant_table('accounts');
grant insert, update on accounts to jara_lookup;
grant select, insert (environment_id, id, purpose, has_floor, created_at) on accounts to jara_app;

create table account_deltas (
  environment_id uuid not null,
  account_id uuid not null,
  amount bigint not null
);
create index account_deltas_by_account on account_deltas (environment_id, account_id);
call protect_tenant_table('account_deltas');
grant select on account_deltas to jara_app;
grant insert on account_deltas to jara_lookup;

-- The order of columns keeps hot rows free of padding.
create table ledger_transactions (
  environment_id uuid not null,
  id uuid not null,
  posted_at timestamptz not null,
  -- Null: the record's first transaction, which carries the record's own id. The key finds it; only later ones need the
  -- index below.
  resource_id uuid,
  kind text not null,
  resource_type text not null,
  reference text,
  narration text,
  primary key (environment_id, id),
  check (resource_id <> id)
) with (autovacuum_analyze_threshold = 5000);
create index ledger_transactions_of_resource on ledger_transactions (resource_id) where resource_id is not null;
call protect_tenant_table('ledger_transactions');
grant select on ledger_transactions to jara_app;
grant insert on ledger_transactions to jara_lookup;

-- At most one entry an account in a transaction. A debit of the account's owner is negative.
create table entries (
  environment_id uuid not null,
  transaction_id uuid not null,
  account_id uuid not null,
  amount bigint not null check (amount <> 0),
  -- Accounts with a floor only: the balance after this entry and its number in the account.
  balance_after bigint check (balance_after >= 0),
  account_entry bigint,
  posted_at timestamptz not null
) with (autovacuum_analyze_threshold = 5000);
create unique index entries_by_account
  on entries (environment_id, account_id, account_entry) where account_entry is not null;
-- Ids rise with time and so does the table: a block range index finds a transaction's entries at almost no cost to
-- the writer, where a tree would add a tenth to what a payout writes.
create index entries_by_transaction
  on entries using brin (transaction_id uuid_minmax_multi_ops) with (pages_per_range = 16);
call protect_tenant_table('entries');
grant select on entries to jara_app;
grant insert on entries to jara_lookup;
