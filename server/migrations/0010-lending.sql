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
  status text not null
    check (status in ('pending', 'approved', 'disbursed', 'active', 'overdue', 'completed', 'rejected', 'cancelled',
      'written_off')),
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
-- What is promised to borrowers and not paid out yet: few rows of a table that grows for ever.
create index loan_accounts_approved on loan_accounts (environment_id) include (amount) where status = 'approved';
create index loan_accounts_by_ageing on loan_accounts (environment_id, id) where ages_at is not null;
create unique index loan_accounts_by_owner on loan_accounts (environment_id, owner_kind, owner_id);
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
  constraint loan_repayments_check1 check ((reversed_at is null) = (reversal_reason is null)),
  constraint loan_repayments_wallet check (case channel
    when 'wallet' then (wallet_id is not null)
    when 'card' then (wallet_id is null)
    else true
end)
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
  repayment_id uuid,
  primary key (environment_id, id),
  foreign key (environment_id, account_id) references loan_accounts (environment_id, id),
  foreign key (environment_id, repayment_id) references loan_repayments (environment_id, id),
  constraint loan_credit_refunds_of_a_charge check ((channel = 'card') = (repayment_id is not null)),
  constraint loan_credit_refunds_wallet check (case channel
    when 'wallet' then (wallet_id is not null)
    when 'card' then (wallet_id is null)
    else true
end)
);
create unique index loan_credit_refunds_by_account on loan_credit_refunds (environment_id, account_id, sequence);
call protect_tenant_table('loan_credit_refunds');
grant select, insert on loan_credit_refunds to jara_app;

-- What a merchant paid back for a borrower: an order was refunded, in whole or in part, and the plan shrank by it. What
-- each did to the plan is not stored but follows from the order of all that happened to the loan.
create table loan_reductions (
  environment_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  -- The account's version that recorded it.
  sequence integer not null,
  reference text not null check (length(reference) between 1 and 100),
  reason text not null check (length(reason) between 1 and 500),
  -- The merchant's wallet that paid.
  wallet_id uuid not null,
  amount bigint not null check (amount > 0),
  recorded_at timestamptz not null,
  primary key (environment_id, id),
  foreign key (environment_id, account_id) references loan_accounts (environment_id, id)
);
create unique index loan_reductions_by_account on loan_reductions (environment_id, account_id, sequence);
call protect_tenant_table('loan_reductions');
grant select, insert on loan_reductions to jara_app;
create trigger loan_reductions_append_only before update on loan_reductions
  for each row execute function refuse_change();

-- Money that an operator puts into a lender's funds or takes out of them. Each piece of evidence (a line of the bank's
-- statement, an order to the bank) moves money once, whoever books it and under which reference.
create table lender_movements (
  environment_id uuid not null references environments (id),
  id uuid not null,
  list_position bigint not null,
  direction text not null check (direction in ('deposit', 'withdrawal')),
  amount bigint not null check (amount > 0),
  reference text not null check (length(reference) between 1 and 100),
  reason text not null,
  evidence text not null check (length(evidence) between 1 and 500),
  -- All that the lender has put in and not taken out, after this movement.
  funded_after bigint not null check (funded_after >= 0),
  created_at timestamptz not null,
  primary key (environment_id, id)
);
create unique index lender_movements_by_evidence on lender_movements (environment_id, lower(evidence));
create unique index lender_movements_by_position on lender_movements (environment_id, list_position);
call protect_tenant_table('lender_movements');
grant select, insert on lender_movements to jara_app;
create trigger append_only before update on lender_movements
  for each row execute function refuse_change();

-- Who asks for loans, found again by BVN: the number itself is sealed, its keyed hash is what is searched.
create table loan_applicants (
  environment_id uuid not null references environments (id),
  id uuid not null,
  bvn_index bytea not null,
  sealed_bvn bytea not null,
  sealed_nin bytea not null,
  first_name text not null,
  last_name text not null,
  -- E.164.
  phone text not null,
  email text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (environment_id, id)
);
create index loan_applicants_by_any_bvn on loan_applicants (bvn_index);
create unique index loan_applicants_by_bvn on loan_applicants (environment_id, bvn_index);
call protect_tenant_table('loan_applicants');
grant select, insert, update on loan_applicants to jara_app;

-- What was asked for, as it was sent. The loan itself (terms, schedule, repayments) is the loan account of the same
-- reference; the status here moves in the same transaction as that account's.
create table loan_requests (
  environment_id uuid not null references environments (id),
  id uuid not null,
  list_position bigint not null,
  -- The id of the loan account.
  reference uuid not null,
  applicant_id uuid not null,
  first_name text not null,
  last_name text not null,
  phone text not null,
  email text not null,
  sealed_nin bytea not null,
  amount bigint not null check (amount > 0),
  tenure integer not null check (tenure > 0),
  tenure_type text not null check (tenure_type in ('daily', 'weekly', 'monthly')),
  bank_code text not null,
  account_number text not null,
  latitude text not null,
  longitude text not null,
  -- From the name enquiry, which comes after the request.
  bank_name text,
  account_name text,
  status text not null
    check (status in ('pending', 'approved', 'disbursed', 'active', 'completed', 'rejected', 'overdue', 'cancelled',
      'written_off')),
  -- The transfer that is paying this loan out; null before, and again when one has failed.
  disbursement_id uuid,
  -- How many were tried; part of each one's reference.
  disbursements integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (environment_id, id),
  foreign key (environment_id, applicant_id) references loan_applicants (environment_id, id)
);
create index loan_requests_by_disbursement
  on loan_requests (environment_id, disbursement_id) where disbursement_id is not null;
create unique index loan_requests_by_position on loan_requests (environment_id, list_position);
create unique index loan_requests_by_reference on loan_requests (environment_id, reference);
-- Lists of loans that are filtered by state count over this index.
create index loan_requests_by_status on loan_requests (environment_id, status, list_position);
-- Those that something still has to decide or pay out.
create index loan_requests_waiting
  on loan_requests (environment_id, id) where status in ('pending', 'approved') and disbursement_id is null;
call protect_tenant_table('loan_requests');
grant select, insert, update on loan_requests to jara_app;
