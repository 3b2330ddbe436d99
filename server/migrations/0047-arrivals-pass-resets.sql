-- As before, and nobody waits at a gate here: arrivals of many environments share this call, and one sandbox that is
-- being emptied would hold up all of them. Those of such a sandbox are left out, and it is named in a row of its own
-- (turned_away, without a line), so that they can be written down later.
drop function record_webhook_arrivals(jsonb);
create function record_webhook_arrivals(arrivals jsonb)
  returns table (environment_id uuid, endpoint_id uuid, resource_id uuid, turned_away boolean)
  language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
declare
  all_ids uuid[];
  open_ids uuid[];
  environment_ids uuid[];
  endpoint_ids uuid[];
  resource_ids uuid[];
begin
  select array_agg(distinct a.environment_id) into all_ids
  from jsonb_to_recordset(arrivals) as a (environment_id uuid);
  select array_agg(g.id) into open_ids from unnest(all_ids) as g (id)
  where pg_try_advisory_xact_lock_shared(environment_gate(g.id));
  select array_agg(a.environment_id), array_agg(a.endpoint_id), array_agg(a.resource_id)
  into environment_ids, endpoint_ids, resource_ids
  from jsonb_to_recordset(arrivals) as a (environment_id uuid, endpoint_id uuid, resource_id uuid)
  where a.environment_id = any (open_ids);
  with recovered as materialized (
    select e.environment_id, e.id from webhook_endpoints e
    where e.failing_since is not null and (e.environment_id, e.id) in (
      select r.environment_id, r.id from unnest(environment_ids, endpoint_ids) as r (environment_id, id))
    order by e.environment_id, e.id
    for no key update
  )
  update webhook_endpoints e set failing_since = null from recovered r
  where e.environment_id = r.environment_id and e.id = r.id;
  with arrived as materialized (
    select * from jsonb_to_recordset(arrivals) as a (environment_id uuid, event_id uuid, endpoint_id uuid,
      at timestamptz, sent_at timestamptz, response_status integer, duration_ms integer, response_body text)
    where a.environment_id = any (open_ids)
  ), locked as materialized (
    select d.environment_id, d.event_id, d.endpoint_id from webhook_deliveries d
    join arrived a on a.environment_id = d.environment_id and a.event_id = d.event_id
      and a.endpoint_id = d.endpoint_id
    order by d.environment_id, d.event_id, d.endpoint_id
    for update of d
  ), noted as (
    insert into webhook_attempts (environment_id, event_id, endpoint_id, at, sent_at, response_status, duration_ms,
      response_body)
    select a.environment_id, a.event_id, a.endpoint_id, a.at, a.sent_at, a.response_status, a.duration_ms,
      a.response_body
    from arrived a join locked l on l.environment_id = a.environment_id and l.event_id = a.event_id
      and l.endpoint_id = a.endpoint_id
  )
  update webhook_deliveries d set status = 'delivered', attempts = d.attempts + 1, claim_at = null, waits = false,
    completed_at = a.at
  from locked l join arrived a on a.environment_id = l.environment_id and a.event_id = l.event_id
    and a.endpoint_id = l.endpoint_id
  where d.environment_id = l.environment_id and d.event_id = l.event_id and d.endpoint_id = l.endpoint_id;
  return query
    select r.environment_id, r.endpoint_id, r.resource_id, false
    from release_webhook_deliveries(environment_ids, endpoint_ids, resource_ids) as r
    union all
    select c.id, null::uuid, null::uuid, true from unnest(all_ids) as c (id)
    where c.id <> all (coalesce(open_ids, '{}'));
end
$$;
alter function record_webhook_arrivals(jsonb) owner to jara_lookup;
revoke execute on function record_webhook_arrivals(jsonb) from public;
grant execute on function record_webhook_arrivals(jsonb) to jara_app;
