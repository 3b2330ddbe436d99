-- Takes the oldest of every environment away, as far as they are too old or too many, in steps: the caller comes back.
-- Where an environment's share of the log ends is found once for a call.
create or replace function prune_requests(before timestamptz, most integer, at_once integer) returns bigint
  language plpgsql security definer set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off
  set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  removed bigint;
begin
  with surplus as materialized (
    select e.id, coalesce((
      select r.position from api_requests r where r.environment_id = e.id
      order by r.position desc offset most limit 1), 0) as last
    from environments e
  ), old as materialized (
    select r.environment_id, r.position from surplus s cross join lateral (
      select o.environment_id, o.position, o.at from api_requests o where o.environment_id = s.id
      order by o.position limit at_once) r
    where r.at < before or r.position <= s.last
    limit at_once
  )
  delete from api_requests r using old o where r.environment_id = o.environment_id and r.position = o.position;
  get diagnostics removed = row_count;
  return removed;
end
$$;
alter function prune_requests owner to jara_lookup;
revoke execute on function prune_requests from public;
grant execute on function prune_requests to jara_app;
