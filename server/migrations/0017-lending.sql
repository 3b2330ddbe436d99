-- What loans cost, by version and date: of a code, the newest version in force counts. Versions are never changed, for
-- loans refer to the one they were made with. Rates are parts per million per period, amounts kobo.
create table loan_products (
  environment_id uuid not null references environments (id),
  id uuid not null,
  version integer not null check (version > 0),
  code text not null check (length(code) between 1 and 50),
  name text not null,
  description text not null,
  effective_from timestamptz not null,
  interest_method text not null check (interest_method in ('flat', 'reducing')),
  minimum_amount bigint not null check (minimum_amount > 0),
  maximum_amount bigint not null,
  -- { "weekly": { "shortest": 1, "longest": 52, "rate": 10000 } }: what is not named is not offered.
  tenures jsonb not null,
  fee_rate integer not null check (fee_rate between 0 and 1000000),
  fee_fixed bigint not null check (fee_fixed >= 0),
  late_fee_rate integer not null check (late_fee_rate between 0 and 1000000),
  late_fee_minimum bigint not null check (late_fee_minimum >= 0),
  grace_days integer not null check (grace_days between 0 and 365),
  created_at timestamptz not null,
  primary key (environment_id, id, version),
  check (minimum_amount <= maximum_amount)
);
create unique index loan_products_by_code on loan_products (environment_id, code, version);
call protect_tenant_table('loan_products');
grant select, insert on loan_products to jara_app;

-- Money lent, whoever asked for it. The version counts changes and orders what happened to the account.
create table loan_accounts (
  environment_id uuid not null references environments (id),
  id uuid not null,
  owner_kind text not null check (owner_kind in ('loan_request', 'checkout_loan')),
  owner_id uuid not null,
  product_id uuid not null,
  product_version integer not null,
  amount bigint not null check (amount > 0),
  tenure integer not null check (tenure > 0),
  tenure_type text not null check (tenure_type in ('daily', 'weekly', 'monthly')),
  status text not null check (status in ('pending', 'approved', 'disbursed', 'active', 'overdue', 'completed',
    'rejected', 'cancelled', 'written_off')),
  version integer not null default 1,
  -- A date in Lagos: projected at approval, fixed at disbursement.
  start_date date,
  -- How many instalments have fallen due and had their interest posted as income.
  accrued integer not null default 0,
  -- The version at which it was written off.
  written_off_at integer,
  -- When the agenda looks at it next; null when nothing will happen by itself.
  ages_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  approved_at timestamptz,
  disbursed_at timestamptz,
  closed_at timestamptz,
  primary key (environment_id, id),
  foreign key (environment_id, product_id, product_version) references loan_products (environment_id, id, version)
);
create unique index loan_accounts_by_owner on loan_accounts (environment_id, owner_kind, owner_id);
create index loan_accounts_by_ageing on loan_accounts (environment_id, id) where ages_at is not null;
call protect_tenant_table('loan_accounts');
grant select, insert, update on loan_accounts to jara_app;

-- The plan. Written at approval with projected dates, at disbursement with the true ones, and not changed after that
-- but for the late fee, which an instalment bears at most once.
create table loan_instalments (
  environment_id uuid not null,
  account_id uuid not null,
  number integer not null check (number > 0),
  due_date date not null,
  principal bigint not null check (principal >= 0),
  interest bigint not null check (interest >= 0),
  fees bigint not null check (fees >= 0),
  late_fee bigint not null default 0 check (late_fee >= 0),
  -- The account's version that charged it.
  late_fee_at integer,
  primary key (environment_id, account_id, number),
  foreign key (environment_id, account_id) references loan_accounts (environment_id, id),
  check ((late_fee = 0) = (late_fee_at is null))
);
call protect_tenant_table('loan_instalments');
grant select, insert, update, delete on loan_instalments to jara_app;

create table loan_repayments (
  environment_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  -- From 1 in each account: its list of repayments is a range of these.
  number integer not null check (number > 0),
  -- The account's version that recorded it.
  sequence integer not null,
  reference text not null check (length(reference) between 1 and 100),
  channel text not null check (channel in ('wallet', 'card', 'cash', 'bank_transfer')),
  wallet_id uuid,
  amount bigint not null check (amount > 0),
  recorded_at timestamptz not null,
  reversed_at timestamptz,
  reversal_reason text,
  primary key (environment_id, id),
  foreign key (environment_id, account_id) references loan_accounts (environment_id, id),
  check ((channel = 'wallet') = (wallet_id is not null)),
  check ((reversed_at is null) = (reversal_reason is null))
);
create unique index loan_repayments_by_account on loan_repayments (environment_id, account_id, number);
call protect_tenant_table('loan_repayments');
grant select, insert, update on loan_repayments to jara_app;

-- What was overpaid, given back.
create table loan_credit_refunds (
  environment_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  sequence integer not null,
  reference text not null check (length(reference) between 1 and 100),
  channel text not null check (channel in ('wallet', 'card', 'cash', 'bank_transfer')),
  wallet_id uuid,
  amount bigint not null check (amount > 0),
  refunded_at timestamptz not null,
  primary key (environment_id, id),
  foreign key (environment_id, account_id) references loan_accounts (environment_id, id),
  check ((channel = 'wallet') = (wallet_id is not null))
);
create unique index loan_credit_refunds_by_account on loan_credit_refunds (environment_id, account_id, sequence);
call protect_tenant_table('loan_credit_refunds');
grant select, insert on loan_credit_refunds to jara_app;

-- Accounts of all environments that time will change, for the sweeper.
create function find_ageing_loan_accounts(after_environment uuid, after_id uuid, at_most integer)
  returns table (environment_id uuid, id uuid)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select a.environment_id, a.id from loan_accounts a
    where a.ages_at is not null and (a.environment_id, a.id) > (after_environment, after_id)
    order by a.environment_id, a.id limit at_most;
  end;
alter function find_ageing_loan_accounts(uuid, uuid, integer) owner to jara_lookup;
revoke execute on function find_ageing_loan_accounts(uuid, uuid, integer) from public;
grant execute on function find_ageing_loan_accounts(uuid, uuid, integer) to jara_app;
