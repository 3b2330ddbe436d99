-- Who pays at the checkout, found again by BVN: the number itself is sealed, its keyed hash is what is searched.
create table customers (
  environment_id uuid not null references environments (id),
  id uuid not null,
  list_position bigint not null,
  bvn_index bytea not null,
  sealed_bvn bytea not null,
  sealed_nin bytea,
  first_name text not null,
  last_name text not null,
  email text not null,
  -- E.164.
  phone text not null,
  date_of_birth date,
  address text,
  -- The merchant's own name for the customer; not unique, for it is not ours to keep apart.
  external_id text check (length(external_id) between 1 and 100),
  kyc_status text not null check (kyc_status in ('pending', 'verified', 'failed')),
  -- Why it failed, or why an operator decided.
  kyc_reason text,
  -- How often the identity provider could not be asked so far.
  kyc_failures integer not null default 0,
  -- The card that due instalments are charged to; null when none is linked.
  default_card_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (environment_id, id)
);
create unique index customers_by_bvn on customers (environment_id, bvn_index);
create unique index customers_by_position on customers (environment_id, list_position);
create index customers_unidentified on customers (environment_id, id) where kyc_status = 'pending';
call protect_tenant_table('customers');
grant select, insert, update on customers to jara_app;

-- What decides who may borrow how much, by version and date: the newest version in force counts. Versions are never
-- changed, for loans refer to the one they were granted by. Amounts are kobo.
create table credit_policies (
  environment_id uuid not null references environments (id),
  version integer not null check (version > 0),
  effective_from timestamptz not null,
  -- { "minimumAge": 18, "mostOpenLoans": 2, "minimumAmount": 500000, "tenors": [1, 3],
  --   "tiers": [{ "completedLoans": 0, "limit": 20000000 }] }
  rules jsonb not null,
  created_at timestamptz not null,
  primary key (environment_id, version)
);
call protect_tenant_table('credit_policies');
grant select, insert on credit_policies to jara_app;

-- Environments that were opened before this are given the first version; later ones get it when they are opened
-- (checkout/credit/policy.ts says the same, and a test compares). Row level security binds the owner too.
alter table environments no force row level security;
alter table credit_policies no force row level security;
insert into credit_policies (environment_id, version, effective_from, rules, created_at)
select e.id, 1, '2000-01-01T00:00:00Z',
  '{"minimumAge": 18, "mostOpenLoans": 2, "minimumAmount": 500000, "tenors": [1, 3, 6, 9, 12],
    "tiers": [{"completedLoans": 0, "limit": 20000000}, {"completedLoans": 1, "limit": 35000000},
      {"completedLoans": 3, "limit": 50000000}]}',
  now()
from environments e;
alter table credit_policies force row level security;
alter table environments force row level security;

-- A purchase on credit. The loan itself (terms, schedule, repayments) is the loan account of the same reference, which
-- is pending until consent is given and a card is linked; from approval on the status here is that account's.
create table checkout_loans (
  environment_id uuid not null references environments (id),
  id uuid not null,
  customer_id uuid not null,
  -- The hosted checkout that it was asked for in, if any.
  session_id uuid,
  -- The id of the loan account.
  reference uuid not null,
  policy_version integer not null,
  amount bigint not null check (amount > 0),
  -- Months.
  tenor integer not null check (tenor > 0),
  -- The merchant's account, which is paid. The bank has named its holder before the loan is made.
  bank_code text not null,
  bank_account_no text not null,
  bank_name text not null,
  account_name text not null,
  status text not null check (status in ('pending_consent', 'pending_card', 'approved', 'disbursed', 'active',
    'overdue', 'completed', 'rejected', 'cancelled', 'expired', 'written_off')),
  consent_status text not null check (consent_status in ('pending_consent', 'consented', 'expired')),
  consented_at timestamptz,
  -- Until then consent and card must be there.
  expires_at timestamptz not null,
  -- The transfer that is paying this loan out; null before, and again when one has failed.
  disbursement_id uuid,
  -- How many were tried; part of each one's reference.
  disbursements integer not null default 0,
  -- Counts what the merchant is told of: the version of the resource in events.
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (environment_id, id),
  foreign key (environment_id, customer_id) references customers (environment_id, id),
  foreign key (environment_id, policy_version) references credit_policies (environment_id, version),
  check ((consent_status = 'consented') = (consented_at is not null))
);
create unique index checkout_loans_by_reference on checkout_loans (environment_id, reference);
create index checkout_loans_by_customer on checkout_loans (environment_id, customer_id, id);
create index checkout_loans_by_disbursement on checkout_loans (environment_id, disbursement_id)
  where disbursement_id is not null;
-- Those that something still has to expire or pay out.
create index checkout_loans_waiting on checkout_loans (environment_id, id)
  where status in ('pending_consent', 'pending_card', 'approved') and disbursement_id is null;
call protect_tenant_table('checkout_loans');
grant select, insert, update on checkout_loans to jara_app;

create function find_customer_environment(wanted uuid) returns table (environment_id uuid)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select e.id from environments e
    where exists (select from customers c where c.environment_id = e.id and c.id = wanted);
  end;
alter function find_customer_environment(uuid) owner to jara_lookup;
revoke execute on function find_customer_environment(uuid) from public;
grant execute on function find_customer_environment(uuid) to jara_app;

create function find_checkout_loan_environment(wanted uuid) returns table (environment_id uuid)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select e.id from environments e
    where exists (select from checkout_loans l where l.environment_id = e.id and l.id = wanted);
  end;
alter function find_checkout_loan_environment(uuid) owner to jara_lookup;
revoke execute on function find_checkout_loan_environment(uuid) from public;
grant execute on function find_checkout_loan_environment(uuid) to jara_app;

-- Customers of all environments whose identity is not established yet.
create function find_unidentified_customers(after_environment uuid, after_id uuid, at_most integer)
  returns table (environment_id uuid, id uuid)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select c.environment_id, c.id from customers c
    where c.kyc_status = 'pending' and (c.environment_id, c.id) > (after_environment, after_id)
    order by c.environment_id, c.id limit at_most;
  end;
alter function find_unidentified_customers(uuid, uuid, integer) owner to jara_lookup;
revoke execute on function find_unidentified_customers(uuid, uuid, integer) from public;
grant execute on function find_unidentified_customers(uuid, uuid, integer) to jara_app;

-- Checkout loans of all environments that a task should be moving: those that will expire, and approved ones that
-- nothing pays out, up to the tries that a lender makes by itself.
create function find_waiting_checkout_loans(
  approved boolean, most_disbursements integer, after_environment uuid, after_id uuid, at_most integer)
  returns table (environment_id uuid, id uuid)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select l.environment_id, l.id from checkout_loans l
    where l.status in ('pending_consent', 'pending_card', 'approved') and l.disbursement_id is null
      and (l.status = 'approved') = find_waiting_checkout_loans.approved
      and l.disbursements < most_disbursements
      and (l.environment_id, l.id) > (after_environment, after_id)
    order by l.environment_id, l.id limit at_most;
  end;
alter function find_waiting_checkout_loans(boolean, integer, uuid, uuid, integer) owner to jara_lookup;
revoke execute on function find_waiting_checkout_loans(boolean, integer, uuid, uuid, integer) from public;
grant execute on function find_waiting_checkout_loans(boolean, integer, uuid, uuid, integer) to jara_app;
