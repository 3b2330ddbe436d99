create or replace function find_loan_environment(wanted uuid) returns table (environment_id uuid, environment_kind text)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    -- By the primary key of each environment in turn, as for transfers.
    select e.id, e.kind from environments e
    where exists (select from loan_requests r where r.environment_id = e.id and r.id = wanted);
  end;
alter function find_loan_environment owner to jara_lookup;
revoke execute on function find_loan_environment from public;
grant execute on function find_loan_environment to jara_app;
