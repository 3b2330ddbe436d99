-- The bill that a provider names by our request id, on that provider's own connection.
create or replace function find_bill_of_connection(wanted_connection uuid, wanted_request text)
  returns table (environment_id uuid, id uuid)
  language sql stable security definer set search_path = public, pg_temp as $$
  select b.environment_id, b.id from bills b
  where b.connection_id = wanted_connection and b.request_id = wanted_request
$$;
alter function find_bill_of_connection owner to jara_lookup;
revoke execute on function find_bill_of_connection from public;
grant execute on function find_bill_of_connection to jara_app;
