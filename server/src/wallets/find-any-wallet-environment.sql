-- Where a wallet is that an operator names by its id alone: every place, because sandboxes that stand still under one
-- seed may hold the same id.
create or replace function find_any_wallet_environment(wanted uuid) returns table (environment_id uuid)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select w.environment_id from wallets w where w.id = wanted;
  end;
alter function find_any_wallet_environment owner to jara_lookup;
revoke execute on function find_any_wallet_environment from public;
grant execute on function find_any_wallet_environment to jara_app;
