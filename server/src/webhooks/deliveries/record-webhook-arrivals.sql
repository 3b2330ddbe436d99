-- Writes down deliveries that arrived, of any environments, in one go, and answers like release_webhook_deliveries.
-- Nobody waits at a gate here: arrivals of many environments share this call, so those of a sandbox that is being
-- emptied are left out. Locks: each environment's gate, shared; endpoints before deliveries, each in the order of their
-- keys. Its commit waits for no disk: an arrival that is lost with PostgreSQL is sent again under the same id.
create or replace function record_webhook_arrivals(
  environment_ids uuid[], event_ids uuid[], endpoint_ids uuid[], resource_ids uuid[], moments timestamptz[],
  sent_moments timestamptz[], statuses integer[], durations_ms integer[], bodies text[])
  returns table (environment_id uuid, endpoint_id uuid, resource_id uuid, turned_away boolean)
  language plpgsql
  security definer
  set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
  shut_ids uuid[];
begin
  -- What is lost is sent again, under the same id.
  perform set_config('synchronous_commit', 'off', true);
  select array_agg(g.id) into shut_ids
  from (select distinct u.id from unnest(environment_ids) as u (id)) as g
  where not pg_try_advisory_xact_lock_shared(environment_gate(g.id));
  if shut_ids is not null then
    select array_agg(a.environment_id), array_agg(a.event_id), array_agg(a.endpoint_id), array_agg(a.resource_id),
      array_agg(a.at), array_agg(a.sent_at), array_agg(a.status), array_agg(a.duration_ms), array_agg(a.body)
    into environment_ids, event_ids, endpoint_ids, resource_ids, moments, sent_moments, statuses, durations_ms, bodies
    from unnest(environment_ids, event_ids, endpoint_ids, resource_ids, moments, sent_moments, statuses,
      durations_ms, bodies)
      as a (environment_id, event_id, endpoint_id, resource_id, at, sent_at, status, duration_ms, body)
    where a.environment_id <> all (shut_ids);
  end if;
  with recovered as materialized (
    select e.environment_id, e.id from (
      select distinct r.environment_id, r.id
      from unnest(environment_ids, endpoint_ids) as r (environment_id, id)) as w
    join webhook_endpoints e on e.environment_id = w.environment_id and e.id = w.id
    where e.failing_since is not null
    order by e.environment_id, e.id
    for no key update of e
  )
  update webhook_endpoints e set failing_since = null from recovered r
  where e.environment_id = r.environment_id and e.id = r.id;
  update webhook_deliveries d set status = 'delivered', attempts = d.attempts + 1, claim_at = null, waits = false,
    completed_at = a.at, arrival_sent_at = a.sent_at, arrival_status = a.status, arrival_ms = a.duration_ms,
    arrival_body = a.body
  from unnest(environment_ids, event_ids, endpoint_ids, moments, sent_moments, statuses, durations_ms, bodies)
    as a (environment_id, event_id, endpoint_id, at, sent_at, status, duration_ms, body)
  where d.environment_id = a.environment_id and d.event_id = a.event_id and d.endpoint_id = a.endpoint_id;
  return query
    select r.environment_id, r.endpoint_id, r.resource_id, false
    from release_webhook_deliveries(environment_ids, endpoint_ids, resource_ids) as r
    union all
    select c.id, null::uuid, null::uuid, true from unnest(shut_ids) as c (id);
end
$$;
alter function record_webhook_arrivals owner to jara_lookup;
revoke execute on function record_webhook_arrivals from public;
grant execute on function record_webhook_arrivals to jara_app;
