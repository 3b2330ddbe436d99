-- Whose wallet this is, for operators, who name it by its id alone.
create or replace function find_wallet_environment(wanted uuid) returns uuid
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select environment_id from wallets where id = wanted;
  end;
alter function find_wallet_environment owner to jara_lookup;
revoke execute on function find_wallet_environment from public;
grant execute on function find_wallet_environment to jara_app;
