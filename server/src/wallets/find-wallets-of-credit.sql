-- Whose wallet a payment may be for, by its number and by its holder, at this provider. Another connection may lead to
-- the same account there; what fits on which is for the caller to weigh.
create or replace function find_wallets_of_credit(wanted_connection uuid, wanted_number text, wanted_holder text)
  returns table (environment_id uuid, wallet_id uuid, same_connection boolean, number_fits boolean, holder_fits boolean)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select w.environment_id, w.id, w.connection_id = wanted_connection,
      coalesce(w.account_number = wanted_number, false), coalesce(w.holder_reference = wanted_holder, false)
    from rail_connections asked
    join rail_connections c on c.provider = asked.provider and c.mode = asked.mode
    join wallets w on w.connection_id = c.id
      and (w.account_number = wanted_number or w.holder_reference = wanted_holder)
    where asked.id = wanted_connection
    limit 20;
  end;
alter function find_wallets_of_credit owner to jara_lookup;
revoke execute on function find_wallets_of_credit from public;
grant execute on function find_wallets_of_credit to jara_app;
