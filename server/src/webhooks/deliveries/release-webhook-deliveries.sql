-- Lets the next delivery of each of these resources go, if it is the first that is still open. Answers with those whose
-- next one a fan-out holds at this moment: ask again for them. Not waiting for it, this cannot be part of a circle. A
-- line is looked at only where something waits in it.
create or replace function release_webhook_deliveries(environment_ids uuid[], endpoint_ids uuid[], resource_ids uuid[])
  returns table (environment_id uuid, endpoint_id uuid, resource_id uuid)
  language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off
  set enable_mergejoin = off set enable_bitmapscan = off as $$
begin
  return query
    with lines as (
      select distinct l.environment_id, l.endpoint_id, l.resource_id
      from unnest(environment_ids, endpoint_ids, resource_ids) as l (environment_id, endpoint_id, resource_id)
      cross join lateral (
        select from webhook_deliveries d
        where d.environment_id = l.environment_id and d.endpoint_id = l.endpoint_id
          and d.resource_id = l.resource_id and d.waits
        limit 1) as waiting
    ), first as materialized (
      select f.* from lines l cross join lateral (
        select d.environment_id, d.event_id, d.endpoint_id, d.resource_id, d.waits from webhook_deliveries d
        where d.environment_id = l.environment_id and d.endpoint_id = l.endpoint_id
          and d.resource_id = l.resource_id and d.status = 'pending' and d.attempts < 4
        order by d.event_position limit 1) as f
      where f.waits
    ), free as materialized (
      select d.environment_id, d.event_id, d.endpoint_id from webhook_deliveries d
      join first f on f.environment_id = d.environment_id and f.event_id = d.event_id
        and f.endpoint_id = d.endpoint_id
      where d.waits
      for update of d skip locked
    ), released as (
      update webhook_deliveries d set waits = false, claim_at = clock_timestamp() from free f
      where d.environment_id = f.environment_id and d.event_id = f.event_id and d.endpoint_id = f.endpoint_id
      returning d.event_id, d.endpoint_id
    )
    select f.environment_id, f.endpoint_id, f.resource_id from first f
    where (f.event_id, f.endpoint_id) not in (select r.event_id, r.endpoint_id from released r);
end
$$;
grant execute on function release_webhook_deliveries to jara_app, jara_lookup;
