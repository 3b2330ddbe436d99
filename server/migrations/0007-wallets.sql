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
  -- A wallet whose number a provider gave out. Payments to it name the connection's number and holder.
  connection_id uuid references rail_connections (id),
  bank_name text,
  holder_reference text,
  primary key (environment_id, id),
  foreign key (environment_id, id) references accounts (environment_id, id),
  check (is_main = (list_position is null)),
  constraint wallets_whole_provider_account check ((connection_id is null) = (bank_name is null)
    and (connection_id is null) = (holder_reference is null))
);
-- Money arrives for a number before anybody knows whose it is, so numbers are unique over all environments.
create unique index wallets_by_account_number on wallets (account_number) where connection_id is null;
create unique index wallets_by_external_id on wallets (environment_id, external_id) where external_id is not null;
create unique index wallets_by_holder on wallets (connection_id, holder_reference) where connection_id is not null;
-- An operator names a wallet by its id alone.
create index wallets_by_id on wallets (id);
create unique index wallets_by_position on wallets (environment_id, list_position) where list_position is not null;
create unique index wallets_by_provider_number
  on wallets (connection_id, account_number) where connection_id is not null;
create unique index wallets_one_main on wallets (environment_id) where is_main;
call protect_tenant_table('wallets');
grant select, insert on wallets to jara_app;

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
  constraint virtual_accounts_check1 check ((status in ('opened', 'refused')) = (completed_at is not null)),
  constraint virtual_accounts_check2 check ((status = 'refused') = (refusal_code is not null))
);
create index virtual_accounts_by_id on virtual_accounts (id);
create index virtual_accounts_open on virtual_accounts (environment_id, id) where completed_at is null;
call protect_tenant_table('virtual_accounts');
grant select, insert, update on virtual_accounts to jara_app;

-- How much of what providers take in may reach a wallet by itself: the newest row counts, and rows are never changed.
-- Without any, the figures are those of wallets/inbound-ceiling.ts.
create table inbound_ceilings (
  id uuid primary key,
  per_credit bigint not null check (per_credit > 0),
  -- Of one wallet, in a day of Lagos.
  per_day bigint not null,
  reason text not null check (length(reason) between 1 and 2000),
  created_at timestamptz not null default clock_timestamp(),
  check (per_day >= per_credit)
);
alter table inbound_ceilings enable row level security;
alter table inbound_ceilings force row level security;
create policy operator on inbound_ceilings to jara_app using (in_operator_scope()) with check (in_operator_scope());
grant select, insert on inbound_ceilings to jara_app;

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
  fee bigint not null,
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
  reason text
    check (reason in ('unknown_account', 'keys_disagree', 'session_seen', 'foreign_currency', 'credit_ceiling',
      'daily_ceiling')),
  wallet_environment uuid references environments (id),
  wallet_id uuid,
  movement_id uuid unique,
  -- In the list of what was set aside.
  list_position bigint unique,
  created_at timestamptz not null default clock_timestamp(),
  assigned_at timestamptz,
  -- The day of Lagos whose ceiling a credit used up when it went to its wallet by itself; null for what an operator
  -- assigned and for what is set aside.
  counted_on date,
  constraint inbound_credits_once unique (provider, mode, transaction_id),
  check (fee >= 0 and fee <= amount),
  constraint inbound_credits_check1 check ((state = 'credited') = (reason is null)),
  constraint inbound_credits_check2 check ((state in ('credited', 'assigned')) = (movement_id is not null)),
  constraint inbound_credits_check3 check ((movement_id is null) = (wallet_id is null)
    and (movement_id is null) = (wallet_environment is null)),
  constraint inbound_credits_check4 check ((state = 'foreign_currency') = (currency <> 'NGN')),
  constraint inbound_credits_check5 check ((state = 'assigned') = (assigned_at is not null))
);
create index inbound_credits_by_day on inbound_credits (wallet_id, counted_on) where counted_on is not null;
create index inbound_credits_by_session on inbound_credits (network_session_id) where network_session_id is not null;
create index inbound_credits_by_state on inbound_credits (state, list_position) where list_position is not null;
create index inbound_credits_by_wallet on inbound_credits (wallet_environment) where wallet_environment is not null;
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
