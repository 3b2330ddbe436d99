-- Requests of all environments that a task should be moving: pending ones of sandboxes, which decide by themselves, and
-- approved ones that nothing pays out, up to the tries that a lender makes by itself.
create or replace function find_waiting_loans(
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
alter function find_waiting_loans owner to jara_lookup;
revoke execute on function find_waiting_loans from public;
grant execute on function find_waiting_loans to jara_app;
