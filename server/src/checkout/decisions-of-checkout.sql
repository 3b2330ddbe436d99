-- Loans of the checkout whose payouts failed five times, contact data that a customer cannot confirm, and identities
-- that no register has confirmed.
create or replace view decisions_of_checkout_loan_payout with (security_invoker = true) as
  select l.id, l.customer_id, l.environment_id, l.account_name as name, l.amount,
    l.disbursements || ' payouts failed' as detail, l.updated_at as since, null::timestamptz as until
  from checkout_loans l where l.status = 'approved' and l.disbursement_id is null and l.disbursements >= 5;
grant select on decisions_of_checkout_loan_payout to jara_lookup;

create or replace view decisions_of_contact_change with (security_invoker = true) as
  select h.id, h.customer_id, h.environment_id, c.first_name || ' ' || c.last_name as name, null::bigint as amount,
    concat_ws(', ', 'phone ' || h.phone, 'e-mail ' || h.email, 'address ' || h.address) as detail,
    h.created_at as since, h.expires_at as until
  from contact_changes h join customers c on c.environment_id = h.environment_id and c.id = h.customer_id
  where h.status = 'pending';
grant select on decisions_of_contact_change to jara_lookup;

create or replace view decisions_of_identity with (security_invoker = true) as
  select c.id, c.id as customer_id, c.environment_id, c.first_name || ' ' || c.last_name as name,
    null::bigint as amount, c.kyc_reason as detail, c.updated_at as since, null::timestamptz as until
  from customers c where c.kyc_status = 'pending';
grant select on decisions_of_identity to jara_lookup;
