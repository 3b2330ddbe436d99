-- Checkout loans of all environments that a task should be moving: those that will expire, and approved ones that
-- nothing pays out, up to the tries that a lender makes by itself.
create or replace function find_waiting_checkout_loans(
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
alter function find_waiting_checkout_loans owner to jara_lookup;
revoke execute on function find_waiting_checkout_loans from public;
grant execute on function find_waiting_checkout_loans to jara_app;
