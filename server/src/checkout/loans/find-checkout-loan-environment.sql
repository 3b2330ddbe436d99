create or replace function find_checkout_loan_environment(wanted uuid) returns table (environment_id uuid)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select e.id from environments e
    where exists (select from checkout_loans l where l.environment_id = e.id and l.id = wanted);
  end;
alter function find_checkout_loan_environment owner to jara_lookup;
revoke execute on function find_checkout_loan_environment from public;
grant execute on function find_checkout_loan_environment to jara_app;
