-- Orders of one kind whose outcome a rail owes us, over all environments, longest first. Their ages are reckoned in
-- each environment's own time.
create or replace function list_owed_orders(order_kind text, older_than_seconds integer, at_most integer)
  returns table (environment_id uuid, environment_kind text, id uuid, reference text, amount bigint, detail jsonb,
    queries integer, sent_at timestamptz, age_seconds double precision, connection_id uuid, rail_order_id text,
    provider_reference text, network_session_id text, rail_fee bigint)
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query execute format($query$
    select o.environment_id, e.kind, o.id, o.reference, o.amount, o.detail, o.queries, o.since, n.age,
      o.connection_id, o.order_id, r.provider_reference, r.network_session_id, r.fee
    from %I o
    join environments e on e.id = o.environment_id
    left join environment_clocks c on c.environment_id = o.environment_id
    cross join lateral (
      select extract(epoch from time_on(c, clock_timestamp()) - o.since)::double precision as age) n
    left join rail_traces r on r.environment_id = o.environment_id and r.connection_id = o.connection_id
      and r.port = o.port and r.order_id = o.order_id
    where o.is_owed and n.age >= $1
    order by n.age desc
    limit $2 $query$, 'orders_of_' || order_kind) using older_than_seconds, at_most;
end
$$;
alter function list_owed_orders owner to jara_lookup;
revoke execute on function list_owed_orders from public;
grant execute on function list_owed_orders to jara_app;
