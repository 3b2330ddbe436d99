-- Whose key this is, for operators, who name it by its id alone.
create or replace function find_key_environment(wanted_key uuid) returns uuid
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select environment_id from api_keys where id = wanted_key;
  end;
alter function find_key_environment owner to jara_lookup;
revoke execute on function find_key_environment from public;
grant execute on function find_key_environment to jara_app;
