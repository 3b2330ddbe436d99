create or replace function find_virtual_account_of_connection(wanted_connection uuid, wanted uuid) returns uuid
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select v.environment_id from virtual_accounts v where v.id = wanted and v.connection_id = wanted_connection;
  end;
alter function find_virtual_account_of_connection owner to jara_lookup;
revoke execute on function find_virtual_account_of_connection from public;
grant execute on function find_virtual_account_of_connection to jara_app;
