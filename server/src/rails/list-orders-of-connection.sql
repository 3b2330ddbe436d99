-- Orders of one kind that went over a connection, of all environments: those that a provider's list has from one moment
-- until another, and those that are named.
create or replace function list_orders_of_connection(order_kind text, wanted_connection uuid, listed_from timestamptz,
  listed_until timestamptz, order_ids text[], at_most integer)
  returns table (environment_id uuid, id uuid, booked_as uuid, order_id text, reference text, amount bigint,
    state text, sent_at timestamptz)
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query execute format($query$
    select o.environment_id, o.id, o.booked_as, o.order_id, o.reference, o.amount, o.state, o.sent_at
    from %I o
    where o.connection_id = $1 and (o.since >= $2 and o.since < $3 or o.order_id = any ($4))
    limit $5 $query$, 'orders_of_' || order_kind)
    using wanted_connection, listed_from, listed_until, order_ids, at_most;
end
$$;
alter function list_orders_of_connection owner to jara_lookup;
revoke execute on function list_orders_of_connection from public;
grant execute on function list_orders_of_connection to jara_app;
