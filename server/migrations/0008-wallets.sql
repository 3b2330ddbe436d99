-- A wallet is a name and a virtual account number on top of a ledger account of the same id. Every environment has
-- one main wallet; the others are sub-accounts and form the list that the API shows.
create table wallets (
  environment_id uuid not null references environments (id),
  id uuid not null,
  is_main boolean not null,
  account_name text not null check (length(account_name) between 1 and 100),
  account_number text not null check (account_number ~ '^[0-9]{10}$'),
  external_id text check (length(external_id) between 1 and 100),
  created_at timestamptz not null,
  -- Null for the main wallet, which is not in the list of sub-accounts.
  list_position bigint,
  primary key (environment_id, id),
  foreign key (environment_id, id) references accounts (environment_id, id),
  check (is_main = (list_position is null))
);
create unique index wallets_one_main on wallets (environment_id) where is_main;
create unique index wallets_by_position on wallets (environment_id, list_position) where list_position is not null;
create unique index wallets_by_external_id on wallets (environment_id, external_id) where external_id is not null;
-- Money arrives for a number before anybody knows whose it is, so numbers are unique over all environments.
create unique index wallets_by_account_number on wallets (account_number);
call protect_tenant_table('wallets');
grant select, insert on wallets to jara_app;
grant select on wallets to jara_lookup;

create function find_wallet_by_number(wanted text)
  returns table (environment_id uuid, wallet_id uuid, environment_kind text)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select w.environment_id, w.id, e.kind
    from wallets w join environments e on e.id = w.environment_id
    where w.account_number = wanted;
  end;
alter function find_wallet_by_number(text) owner to jara_lookup;
revoke execute on function find_wallet_by_number(text) from public;
grant execute on function find_wallet_by_number(text) to jara_app;

-- An operator names a wallet by its id alone.
create index wallets_by_id on wallets (id);
create function find_wallet_environment(wanted uuid) returns uuid
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select environment_id from wallets where id = wanted;
  end;
alter function find_wallet_environment(uuid) owner to jara_lookup;
revoke execute on function find_wallet_environment(uuid) from public;
grant execute on function find_wallet_environment(uuid) to jara_app;

-- Movements that are not payouts or bills: funding, credits from outside, moves between own accounts, corrections by
-- an operator. They give the money a record that a reference finds again.
create table wallet_movements (
  environment_id uuid not null references environments (id),
  id uuid not null,
  kind text not null check (kind in ('funding', 'inbound_credit', 'own_transfer', 'operator_credit', 'operator_debit')),
  -- Null where nobody names the movement: funding, and credits from outside.
  reference text check (length(reference) between 1 and 100),
  from_account_id uuid,
  to_account_id uuid,
  amount bigint not null check (amount > 0),
  -- Who paid (a credit from outside), or why an operator did it.
  sender_name text,
  reason text,
  created_at timestamptz not null,
  primary key (environment_id, id),
  check (from_account_id is not null or to_account_id is not null)
);
call protect_tenant_table('wallet_movements');
grant select, insert on wallet_movements to jara_app;
