-- Open orders of one kind, of all environments, that no worker holds, in the order of their keys. The sweeper finds out
-- which of them nothing will ever move.
create or replace function find_idle_orders(
  order_kind text, wanted_step text, after_environment uuid, after_id uuid, at_most integer)
  returns table (environment_id uuid, id uuid)
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query execute format($query$
    select o.environment_id, o.id from %I o
    where o.is_idle and o.step = $1 and (o.environment_id, o.id) > ($2, $3)
    order by o.environment_id, o.id
    limit $4 $query$, 'orders_of_' || order_kind) using wanted_step, after_environment, after_id, at_most;
end
$$;
alter function find_idle_orders owner to jara_lookup;
revoke execute on function find_idle_orders from public;
grant execute on function find_idle_orders to jara_app;
