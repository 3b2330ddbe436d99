create or replace function find_customer_environment(wanted uuid) returns table (environment_id uuid)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select e.id from environments e
    where exists (select from customers c where c.environment_id = e.id and c.id = wanted);
  end;
alter function find_customer_environment owner to jara_lookup;
revoke execute on function find_customer_environment from public;
grant execute on function find_customer_environment to jara_app;
