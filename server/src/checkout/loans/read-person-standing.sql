-- How a person stands with the lender of this environment: sums, never rows. A person is anybody who has the BVN, the
-- NIN, the phone or a card; a record of repayment is the BVN's alone. A loan that was asked for with POST /loans/create
-- is the same lender's money and counts whole while it is granted and not completed.
create or replace function read_person_standing(
  bvns bytea[], applicant_bvns bytea[], nins bytea[], phones text[], cards bytea[], without_loan uuid,
  repaid_percent integer, days_out integer)
  returns table (open_loans integer, overdue_loans integer, written_off_loans integer, exposure bigint,
    repaid_loans integer, repaid_amount bigint)
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
        case when p.same_bvn and l.status = 'completed'
            and a.closed_at >= a.disbursed_at + make_interval(days => days_out)
          then paid_by_borrower(l.environment_id, l.reference, l.amount, repaid_percent) else 0 end as repaid
      from people p
      join checkout_loans l on l.environment_id = p.environment_id and l.customer_id = p.id
      join loan_accounts a on a.environment_id = l.environment_id and a.id = l.reference
      where p.environment_id in (select id from lender) and l.id is distinct from without_loan
        -- Chosen on a hosted page and not consented to: holds nobody.
        and not (l.status = 'pending_consent' and l.session_id is not null)
      union all
      select r.status, case when r.status in ('approved', 'disbursed', 'active', 'overdue') then r.amount else 0 end, 0
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
      (count(*) filter (where repaid > 0))::integer,
      coalesce(sum(repaid), 0)::bigint
    from lent;
  end;
alter function read_person_standing owner to jara_lookup;
revoke execute on function read_person_standing from public;
grant execute on function read_person_standing to jara_app;
