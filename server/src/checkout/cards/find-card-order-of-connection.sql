-- What a processor's notice is about: it names a charge, or a try to link, by our id only.
create or replace function find_card_order_of_connection(wanted_connection uuid, wanted_id uuid)
  returns table (environment_id uuid, charge_id uuid, link_id uuid)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select c.environment_id, c.id, null::uuid from card_charges c
    where c.connection_id = wanted_connection and c.id = wanted_id
    union all
    select l.environment_id, null::uuid, l.id from card_links l
    where l.connection_id = wanted_connection and l.attempt_id = wanted_id
    limit 1;
  end;
alter function find_card_order_of_connection owner to jara_lookup;
revoke execute on function find_card_order_of_connection from public;
grant execute on function find_card_order_of_connection to jara_app;
