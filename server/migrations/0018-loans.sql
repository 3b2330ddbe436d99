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
  status text not null check (status in ('pending', 'approved', 'disbursed', 'active', 'completed', 'rejected',
    'overdue', 'cancelled', 'written_off')),
  -- The transfer that is paying this loan out; null before, and again when one has failed.
  disbursement_id uuid,
  -- How many were tried; part of each one's reference.
  disbursements integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (environment_id, id),
  foreign key (environment_id, applicant_id) references loan_applicants (environment_id, id)
);
create unique index loan_requests_by_position on loan_requests (environment_id, list_position);
create unique index loan_requests_by_reference on loan_requests (environment_id, reference);
create index loan_requests_by_disbursement on loan_requests (environment_id, disbursement_id)
  where disbursement_id is not null;
-- Those that something still has to decide or pay out.
create index loan_requests_waiting on loan_requests (environment_id, id)
  where status in ('pending', 'approved') and disbursement_id is null;
call protect_tenant_table('loan_requests');
grant select, insert, update on loan_requests to jara_app;

create function find_loan_environment(wanted uuid) returns table (environment_id uuid, environment_kind text)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    -- By the primary key of each environment in turn, as for transfers.
    select e.id, e.kind from environments e
    where exists (select from loan_requests r where r.environment_id = e.id and r.id = wanted);
  end;
alter function find_loan_environment(uuid) owner to jara_lookup;
revoke execute on function find_loan_environment(uuid) from public;
grant execute on function find_loan_environment(uuid) to jara_app;

-- Requests of all environments that a task should be moving: pending ones of sandboxes, which decide by themselves, and
-- approved ones that nothing pays out, up to the tries that a lender makes by itself.
create function find_waiting_loans(
  wanted_status text, most_disbursements integer, after_environment uuid, after_id uuid, at_most integer)
  returns table (environment_id uuid, id uuid)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select r.environment_id, r.id
    from loan_requests r join environments e on e.id = r.environment_id
    where r.status in ('pending', 'approved') and r.disbursement_id is null and r.status = wanted_status
      and (wanted_status = 'approved' or e.kind = 'SANDBOX') and r.disbursements < most_disbursements
      and (r.environment_id, r.id) > (after_environment, after_id)
    order by r.environment_id, r.id
    limit at_most;
  end;
alter function find_waiting_loans(text, integer, uuid, uuid, integer) owner to jara_lookup;
revoke execute on function find_waiting_loans(text, integer, uuid, uuid, integer) from public;
grant execute on function find_waiting_loans(text, integer, uuid, uuid, integer) to jara_app;

-- A loan is paid out by a transfer that is not the merchant's: it is in no list and says nothing of itself.
alter table transfers
  add column purpose text not null default 'payout' check (purpose in ('payout', 'disbursement')),
  alter column list_position drop not null,
  add check ((purpose = 'payout') = (list_position is not null));
