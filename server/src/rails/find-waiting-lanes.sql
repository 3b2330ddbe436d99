-- Lanes of environments of one kind that have an order due, with the time of the one that has waited longest. It jumps
-- from lane to lane through the index. Each jump is ordered by the index's columns, so that no other index will do.
create or replace function find_waiting_lanes(order_table text, lane_column text, wanted_kind text)
  returns table (environment_id uuid, lane text, waiting_since timestamptz)
  language plpgsql volatile security definer set search_path = public, pg_temp
  set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  return query execute format($query$
    with recursive places as (
      (select t.environment_id from %1$I t where t.claim_at is not null
        order by t.environment_id, t.%2$I, t.claim_at limit 1)
      union all
      select n.environment_id from places p cross join lateral (
        select t.environment_id from %1$I t
        where t.claim_at is not null and t.environment_id > p.environment_id
        order by t.environment_id, t.%2$I, t.claim_at limit 1) n
    )
    select p.environment_id, l.lane, l.claim_at
    from places p
    join environments e on e.id = p.environment_id and e.kind = $1
    cross join lateral (
      with recursive lanes (lane, claim_at) as (
        (select t.%2$I, t.claim_at from %1$I t
          where t.environment_id = p.environment_id and t.claim_at is not null
          order by t.%2$I, t.claim_at limit 1)
        union all
        select n.lane, n.claim_at from lanes l cross join lateral (
          select t.%2$I as lane, t.claim_at from %1$I t
          where t.environment_id = p.environment_id and t.claim_at is not null and t.%2$I > l.lane
          order by t.%2$I, t.claim_at limit 1) n
      )
      select lanes.lane, lanes.claim_at from lanes where lanes.claim_at <= $2) l $query$, order_table, lane_column)
    using wanted_kind, clock_timestamp();
end
$$;
alter function find_waiting_lanes owner to jara_lookup;
revoke execute on function find_waiting_lanes from public;
grant execute on function find_waiting_lanes to jara_app;
