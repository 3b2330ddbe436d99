-- Takes payouts that wait for a worker, so many of each lane, by a lease: it brings them back if the worker dies.
-- Nothing else changes here. Whoever holds one starts it, in the transaction that commits what the bank will know it
-- by. A row that the worker hands to the agenda, or ends, gives claim_at up. The rows come back whole: nobody reads
-- them again.
create or replace function claim_transfers(
  lane_environments uuid[], lane_banks text[], lane_takes integer[], lease_seconds integer)
  returns setof transfers
  language plpgsql security definer set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off
  set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  moment constant timestamptz := clock_timestamp();
begin
  return query
    with picked as materialized (
      select p.found from unnest(lane_environments, lane_banks, lane_takes) as l (environment_id, bank_code, take)
      cross join lateral (
        select t.ctid as found from transfers t
        where t.environment_id = l.environment_id and t.bank_code = l.bank_code and t.claim_at <= moment
        order by t.claim_at
        limit l.take
        for update skip locked) p
    )
    update transfers t set claim_at = moment + make_interval(secs => lease_seconds)
    from picked p
    -- A row that changed between being found and being locked is left for the next round.
    where t.ctid = p.found
    returning t.*;
end
$$;
alter function claim_transfers owner to jara_lookup;
revoke execute on function claim_transfers from public;
grant execute on function claim_transfers to jara_app;
