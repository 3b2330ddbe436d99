-- Takes bills that wait for a worker, so many of each lane, by a lease: it brings them back if the worker dies. Nothing
-- else changes here. Whoever holds one starts it, in the transaction that commits what the biller will know it by.
create or replace function claim_bills(
  lane_environments uuid[], lane_providers text[], lane_takes integer[], lease_seconds integer)
  returns setof bills
  language plpgsql security definer set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off
  set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  moment constant timestamptz := clock_timestamp();
begin
  return query
    with picked as materialized (
      select p.found from unnest(lane_environments, lane_providers, lane_takes) as l (environment_id, provider, take)
      cross join lateral (
        select b.ctid as found from bills b
        where b.environment_id = l.environment_id and b.provider = l.provider and b.claim_at <= moment
        order by b.claim_at
        limit l.take
        for update skip locked) p
    )
    update bills b set claim_at = moment + make_interval(secs => lease_seconds)
    from picked p
    -- A row that changed between being found and being locked is left for the next round.
    where b.ctid = p.found
    returning b.*;
end
$$;
alter function claim_bills owner to jara_lookup;
revoke execute on function claim_bills from public;
grant execute on function claim_bills to jara_app;
