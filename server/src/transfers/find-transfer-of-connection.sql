-- The order that a provider names by our session or request id, on that provider's own connection.
create or replace function find_transfer_of_connection(wanted_connection uuid, wanted_session text)
  returns table (environment_id uuid, id uuid)
  language sql stable security definer set search_path = public, pg_temp as $$
  select t.environment_id, t.id from transfers t
  where t.connection_id = wanted_connection and t.session_id = wanted_session
$$;
alter function find_transfer_of_connection owner to jara_lookup;
revoke execute on function find_transfer_of_connection from public;
grant execute on function find_transfer_of_connection to jara_app;
