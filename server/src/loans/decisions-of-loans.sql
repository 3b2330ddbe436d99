-- Loans that wait for a decision, and those whose payouts failed five times: these are not tried again by themselves.
create or replace view decisions_of_loan with (security_invoker = true) as
  select r.id, null::uuid as customer_id, r.environment_id, r.first_name || ' ' || r.last_name as name, r.amount,
    r.tenure || case r.tenure_type when 'daily' then ' days' when 'weekly' then ' weeks' else ' months' end as detail,
    r.created_at as since, null::timestamptz as until
  from loan_requests r where r.status = 'pending' and r.disbursement_id is null;
grant select on decisions_of_loan to jara_lookup;

create or replace view decisions_of_loan_payout with (security_invoker = true) as
  select r.id, null::uuid as customer_id, r.environment_id, r.first_name || ' ' || r.last_name as name, r.amount,
    r.disbursements || ' payouts failed' as detail, r.updated_at as since, null::timestamptz as until
  from loan_requests r where r.status = 'approved' and r.disbursement_id is null and r.disbursements >= 5;
grant select on decisions_of_loan_payout to jara_lookup;
