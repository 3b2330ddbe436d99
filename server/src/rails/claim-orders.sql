-- Takes orders that wait for a worker, so many of each lane, by a lease: it brings them back if the worker dies.
-- Nothing else changes here. Whoever holds one starts it, in the transaction that commits what the rail will know it
-- by. A row that the worker hands to the agenda, or ends, gives claim_at up. The rows come back whole: nobody reads
-- them again. The table is the one of the record that is handed in, a null of its type; its lanes are a column.
create or replace function claim_orders(record anyelement, lane_column text, lane_environments uuid[], lanes text[],
  lane_takes integer[], lease_seconds integer)
  returns setof anyelement
  language plpgsql security definer set search_path = public, pg_temp
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off as $$
begin
  return query execute format($query$
    with picked as materialized (
      select p.found from unnest($2, $3, $4) as l (environment_id, lane, take)
      cross join lateral (
        select t.ctid as found from %1$s t
        where t.environment_id = l.environment_id and t.%2$I = l.lane and t.claim_at <= $1
        order by t.claim_at
        limit l.take
        for update skip locked) p
    )
    update %1$s t set claim_at = $1 + make_interval(secs => $5)
    from picked p
    -- A row that changed between being found and being locked is left for the next round.
    where t.ctid = p.found
    returning t.* $query$, pg_typeof(record), lane_column)
    using clock_timestamp(), lane_environments, lanes, lane_takes, lease_seconds;
end
$$;
alter function claim_orders owner to jara_lookup;
revoke execute on function claim_orders from public;
grant execute on function claim_orders to jara_app;
