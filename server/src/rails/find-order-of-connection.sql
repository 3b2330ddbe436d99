-- The order that a provider names by our id, on that provider's own connection.
create or replace function find_order_of_connection(order_kind text, wanted_connection uuid, wanted_order text)
  returns table (environment_id uuid, id uuid)
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query execute format($query$
    select o.environment_id, o.id from %I o
    where o.connection_id = $1 and o.order_id = $2 and o.state <> 'trial'
    limit 1 $query$, 'orders_of_' || order_kind) using wanted_connection, wanted_order;
end
$$;
alter function find_order_of_connection owner to jara_lookup;
revoke execute on function find_order_of_connection from public;
grant execute on function find_order_of_connection to jara_app;
