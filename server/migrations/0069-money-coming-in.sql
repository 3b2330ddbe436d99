-- The operator has a ledger of its own, in its own scope: money that came in and belongs to no wallet yet. Its accounts
-- belong to no tenant; every other account still belongs to an environment that exists.
alter table accounts add column tenant_id uuid
  generated always as (nullif(environment_id, '00000000-0000-0000-0000-000000000000'::uuid)) stored
  references environments (id);
alter table accounts drop constraint accounts_environment_id_fkey;
alter table accounts add constraint accounts_operator_has_no_floor check (tenant_id is not null or not has_floor);

-- A wallet whose number a provider gave out. Payments to it name the connection's number and holder.
alter table wallets
  add column connection_id uuid references rail_connections (id),
  add column bank_name text,
  add column holder_reference text,
  add constraint wallets_whole_provider_account check (
    (connection_id is null) = (bank_name is null) and (connection_id is null) = (holder_reference is null));
-- Numbers that we make up are unique among themselves; a bank's number may look like one of them.
drop index wallets_by_account_number;
create unique index wallets_by_account_number on wallets (account_number) where connection_id is null;
create unique index wallets_by_provider_number on wallets (connection_id, account_number)
  where connection_id is not null;
create unique index wallets_by_holder on wallets (connection_id, holder_reference) where connection_id is not null;
-- Nobody asked it.
drop function find_wallet_by_number(text);

-- A sub-account on its way: an order to a provider. The wallet is opened under the same id once the number is there.
create table virtual_accounts (
  environment_id uuid not null references environments (id),
  id uuid not null,
  account_name text not null check (length(account_name) between 1 and 100),
  external_id text check (length(external_id) between 1 and 100),
  status text not null check (status in ('pending', 'processing', 'opened', 'refused')),
  connection_id uuid references rail_connections (id),
  -- How often it was ordered, and when last: only the caller that counts a try orders.
  tries integer not null default 0,
  sent_at timestamptz,
  queries integer not null default 0,
  refusal_code text,
  refusal_message text,
  created_at timestamptz not null,
  completed_at timestamptz,
  primary key (environment_id, id),
  check ((status = 'pending') = (connection_id is null)),
  check ((status in ('opened', 'refused')) = (completed_at is not null)),
  check ((status = 'refused') = (refusal_code is not null))
);
create index virtual_accounts_open on virtual_accounts (environment_id, id) where completed_at is null;
create index virtual_accounts_by_id on virtual_accounts (id);
call protect_tenant_table('virtual_accounts');
grant select, insert, update on virtual_accounts to jara_app;

create function find_open_virtual_accounts(after_environment uuid, after_id uuid, at_most integer)
  returns table (environment_id uuid, id uuid)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select v.environment_id, v.id from virtual_accounts v
    where v.completed_at is null and (v.environment_id, v.id) > (after_environment, after_id)
    order by v.environment_id, v.id limit at_most;
  end;
alter function find_open_virtual_accounts(uuid, uuid, integer) owner to jara_lookup;
revoke execute on function find_open_virtual_accounts(uuid, uuid, integer) from public;
grant execute on function find_open_virtual_accounts(uuid, uuid, integer) to jara_app;

create function find_virtual_account_of_connection(wanted_connection uuid, wanted uuid) returns uuid
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select v.environment_id from virtual_accounts v where v.id = wanted and v.connection_id = wanted_connection;
  end;
alter function find_virtual_account_of_connection(uuid, uuid) owner to jara_lookup;
revoke execute on function find_virtual_account_of_connection(uuid, uuid) from public;
grant execute on function find_virtual_account_of_connection(uuid, uuid) to jara_app;

-- What a provider took in. Its transaction id is the only key: whatever hints at a credit, and however often, it is
-- booked once. The operator's, because nobody knows whose it is before it was looked at; the environment that it went
-- to may read it, for its own checks.
create table inbound_credits (
  id uuid primary key,
  connection_id uuid not null references rail_connections (id),
  -- Two connections may lead to one account at the provider, so the key does not name the connection.
  provider text not null,
  mode text not null check (mode in ('live', 'test')),
  transaction_id text not null check (length(transaction_id) between 1 and 200),
  amount bigint not null check (amount > 0),
  fee bigint not null check (fee between 0 and amount),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  account_number text,
  holder_reference text,
  sender_name text,
  sender_bank text,
  sender_account text check (length(sender_account) = 4),
  network_session_id text,
  paid_at timestamptz not null,
  state text not null check (state in ('credited', 'open', 'assigned', 'foreign_currency')),
  -- Why it is in nobody's wallet, or was not at first.
  reason text check (reason in ('unknown_account', 'keys_disagree', 'session_seen', 'foreign_currency')),
  wallet_environment uuid references environments (id),
  wallet_id uuid,
  movement_id uuid unique,
  -- In the list of what was set aside.
  list_position bigint unique,
  created_at timestamptz not null default clock_timestamp(),
  assigned_at timestamptz,
  constraint inbound_credits_once unique (provider, mode, transaction_id),
  check ((state = 'credited') = (reason is null)),
  check ((state in ('credited', 'assigned')) = (movement_id is not null)),
  check ((movement_id is null) = (wallet_id is null) and (movement_id is null) = (wallet_environment is null)),
  check ((state = 'foreign_currency') = (currency <> 'NGN')),
  check ((state = 'assigned') = (assigned_at is not null))
);
create index inbound_credits_by_wallet on inbound_credits (wallet_environment) where wallet_environment is not null;
create index inbound_credits_by_state on inbound_credits (state, list_position) where list_position is not null;
create index inbound_credits_by_session on inbound_credits (network_session_id) where network_session_id is not null;
alter table inbound_credits enable row level security;
alter table inbound_credits force row level security;
create policy operator on inbound_credits to jara_app using (in_operator_scope()) with check (in_operator_scope());
create policy receiver on inbound_credits for select to jara_app using (wallet_environment = current_environment());
grant select, insert, update on inbound_credits to jara_app;

-- How far each provider's list was read.
create table inbound_sweeps (
  connection_id uuid primary key references rail_connections (id),
  swept_to timestamptz not null,
  looked_back_at timestamptz not null
);
alter table inbound_sweeps enable row level security;
alter table inbound_sweeps force row level security;
create policy operator on inbound_sweeps to jara_app using (in_operator_scope()) with check (in_operator_scope());
grant select, insert, update on inbound_sweeps to jara_app;

-- Whose wallet a payment may be for, by its number and by its holder, at this provider. Another connection may lead to
-- the same account there; what fits on which is for the caller to weigh.
create function find_wallets_of_credit(wanted_connection uuid, wanted_number text, wanted_holder text)
  returns table (environment_id uuid, wallet_id uuid, same_connection boolean, number_fits boolean, holder_fits boolean)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select w.environment_id, w.id, w.connection_id = wanted_connection,
      coalesce(w.account_number = wanted_number, false), coalesce(w.holder_reference = wanted_holder, false)
    from rail_connections asked
    join rail_connections c on c.provider = asked.provider and c.mode = asked.mode
    join wallets w on w.connection_id = c.id
      and (w.account_number = wanted_number or w.holder_reference = wanted_holder)
    where asked.id = wanted_connection
    limit 20;
  end;
alter function find_wallets_of_credit(uuid, text, text) owner to jara_lookup;
revoke execute on function find_wallets_of_credit(uuid, text, text) from public;
grant execute on function find_wallets_of_credit(uuid, text, text) to jara_app;
