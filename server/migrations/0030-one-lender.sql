-- One person borrows from one lender, at whatever merchants: all LIVE environments are one lender, each sandbox is one.
-- What is known about a person is compared by keyed hashes, which are the same in every environment.

-- Found again by the NIN too. What was sealed before this gets its hash by `npm run rotate-keys`, which needs the key.
alter table customers add column nin_index bytea;
create index customers_by_any_bvn on customers (bvn_index);
create index customers_by_any_nin on customers (nin_index) where nin_index is not null;
create index customers_by_any_phone on customers (phone);
create index loan_applicants_by_any_bvn on loan_applicants (bvn_index);

-- What the network knows a card by, whoever links it; null where it does not tell.
alter table customer_cards add column sealed_fingerprint bytea;
alter table customer_cards add column fingerprint_index bytea;
alter table customer_cards add check ((sealed_fingerprint is null) = (fingerprint_index is null));
create index customer_cards_by_any_fingerprint on customer_cards (fingerprint_index)
  where fingerprint_index is not null;
alter table simulated_card.tokens add column fingerprint text;
alter table simulated_card.links add column fingerprint text;

-- Principal that is owed of a loan, kept with it so that it can be added up over merchants. Loans that are out get the
-- figure of their account with their next change, and `npm run verify` compares; until then the whole amount counts.
alter table checkout_loans no force row level security;
alter table checkout_loans add column owed_principal bigint;
update checkout_loans set owed_principal = case
  when status in ('rejected', 'cancelled', 'expired', 'completed') then 0 else amount end;
alter table checkout_loans alter column owed_principal set not null;
alter table checkout_loans add check (owed_principal >= 0);
alter table checkout_loans force row level security;

-- The rules of when a loan counts as repaid are policy. A version is never changed, so each environment gets a next one
-- (checkout/credit/policy.ts says the same, and a test compares).
alter table credit_policies no force row level security;
insert into credit_policies (environment_id, version, effective_from, rules, created_at)
select p.environment_id, p.version + 1, p.effective_from,
  p.rules || '{"counting": {"repaidPercent": 80, "daysOut": 28}}', now()
from credit_policies p
where p.version = (select max(n.version) from credit_policies n where n.environment_id = p.environment_id);
alter table credit_policies force row level security;

-- How a person stands with the lender of this environment: sums, never rows. A person is whoever has the BVN, the NIN,
-- the phone or a card; a record of repayment is the BVN's alone. A loan that was asked for with POST /loans/create is
-- the same lender's money and counts whole while it is granted and not completed.
create function read_lender_standing(
  bvns bytea[], applicant_bvns bytea[], nins bytea[], phones text[], cards bytea[], without_loan uuid,
  repaid_percent integer, days_out integer)
  returns table (open_loans integer, overdue_loans integer, written_off_loans integer, exposure bigint,
    repaid_loans integer)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    with lender as (
      select e.id from environments e join environments own on own.id = current_environment()
      where e.id = own.id or (e.kind = 'LIVE' and own.kind = 'LIVE')
    ), people as (
      select c.environment_id, c.id, true as same_bvn from customers c where c.bvn_index = any (bvns)
      union
      select c.environment_id, c.id, c.bvn_index = any (bvns) from customers c where c.nin_index = any (nins)
      union
      select c.environment_id, c.id, c.bvn_index = any (bvns) from customers c where c.phone = any (phones)
      union
      select c.environment_id, c.id, c.bvn_index = any (bvns) from customer_cards k
      join customers c on c.environment_id = k.environment_id and c.id = k.customer_id
      where k.fingerprint_index = any (cards)
    ), lent as (
      select l.status, l.owed_principal as owed,
        p.same_bvn and l.status = 'completed'
          and a.closed_at >= a.disbursed_at + make_interval(days => days_out)
          and coalesce((select sum(r.amount) from loan_repayments r
              where r.environment_id = l.environment_id and r.account_id = l.reference and r.reversed_at is null
                and r.channel <> 'cash'), 0)
            - coalesce((select sum(r.amount) from loan_credit_refunds r
              where r.environment_id = l.environment_id and r.account_id = l.reference and r.channel <> 'cash'), 0)
            >= l.amount * repaid_percent / 100.0 as is_repaid
      from people p
      join checkout_loans l on l.environment_id = p.environment_id and l.customer_id = p.id
      join loan_accounts a on a.environment_id = l.environment_id and a.id = l.reference
      where p.environment_id in (select id from lender) and l.id is distinct from without_loan
        -- Chosen on a hosted page and not consented to: holds nobody.
        and not (l.status = 'pending_consent' and l.session_id is not null)
      union all
      select r.status, case when r.status in ('approved', 'disbursed', 'active', 'overdue') then r.amount else 0 end,
        false
      from loan_applicants p
      join loan_requests r on r.environment_id = p.environment_id and r.applicant_id = p.id
      where p.bvn_index = any (applicant_bvns) and p.environment_id in (select id from lender)
        and r.status <> 'pending'
    )
    select
      (count(*) filter (where status in ('pending_consent', 'pending_card', 'approved', 'disbursed', 'active',
        'overdue')))::integer,
      (count(*) filter (where status = 'overdue'))::integer,
      (count(*) filter (where status = 'written_off'))::integer,
      coalesce(sum(owed) filter (where status in ('pending_consent', 'pending_card', 'approved', 'disbursed', 'active',
        'overdue')), 0)::bigint,
      (count(*) filter (where is_repaid))::integer
    from lent;
  end;
alter function read_lender_standing(bytea[], bytea[], bytea[], text[], bytea[], uuid, integer, integer)
  owner to jara_lookup;
revoke execute on function read_lender_standing(bytea[], bytea[], bytea[], text[], bytea[], uuid, integer, integer)
  from public;
grant execute on function read_lender_standing(bytea[], bytea[], bytea[], text[], bytea[], uuid, integer, integer)
  to jara_app;
