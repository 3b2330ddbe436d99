-- Messages of all environments with the address of a page that were not carried yet.
create or replace function find_waiting_plan_links(after_environment uuid, after_loan uuid, at_most integer)
  returns table (environment_id uuid, id uuid)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select m.environment_id, m.loan_id from plan_link_messages m
    where m.status = 'waiting' and (m.environment_id, m.loan_id) > (after_environment, after_loan)
    order by m.environment_id, m.loan_id limit at_most;
  end;
alter function find_waiting_plan_links owner to jara_lookup;
revoke execute on function find_waiting_plan_links from public;
grant execute on function find_waiting_plan_links to jara_app;
