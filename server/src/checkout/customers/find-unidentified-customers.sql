-- Customers of all environments whose identity is not established yet.
create or replace function find_unidentified_customers(after_environment uuid, after_id uuid, at_most integer)
  returns table (environment_id uuid, id uuid)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select c.environment_id, c.id from customers c
    where c.kyc_status = 'pending' and (c.environment_id, c.id) > (after_environment, after_id)
    order by c.environment_id, c.id limit at_most;
  end;
alter function find_unidentified_customers owner to jara_lookup;
revoke execute on function find_unidentified_customers from public;
grant execute on function find_unidentified_customers to jara_app;
