-- The queue of deliveries. Its statements are planned at each call: the tables grow from nothing to millions of rows,
-- and a plan that was right for few rows and kept would read all events of an environment for each delivery.

-- Takes up what is due, at most so many of an endpoint, so that one with a long queue leaves room for the others. The
-- endpoints are visited in the order of their keys from the given one on, jumping from one to the next in the index:
-- the cost follows the number of endpoints with something to send, not the length of their queues. A claim is a lease:
-- what a killed worker held is due again when it ends. What was made while its endpoint was disabled is put aside.
create function claim_webhook_deliveries(at_most integer, per_endpoint integer, lease_seconds integer,
  limited_endpoints uuid[], limited_room integer[], after_environment uuid, after_endpoint uuid)
  returns table (environment_id uuid, environment_kind text, event_id uuid, endpoint_id uuid, resource_id uuid,
    url text, sealed_secret bytea, sealed_previous_secret bytea, previous_secret_until timestamptz,
    event text, created_at timestamptz, resource_version integer, data text, attempts integer, due_at timestamptz)
  language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  moment constant timestamptz := clock_timestamp();
begin
  return query
    with recursive lanes as (
      (select d.environment_id, d.endpoint_id, 1 as place from webhook_deliveries d
        where d.queued and (d.environment_id, d.endpoint_id) > (after_environment, after_endpoint)
        order by d.environment_id, d.endpoint_id limit 1)
      union all
      select n.environment_id, n.endpoint_id, l.place + 1 from lanes l
      cross join lateral (
        select d.environment_id, d.endpoint_id from webhook_deliveries d
        where d.queued and (d.environment_id, d.endpoint_id) > (l.environment_id, l.endpoint_id)
        order by d.environment_id, d.endpoint_id limit 1) as n
      where l.place < 2000
    ), picked as materialized (
      select p.* from lanes l
      left join unnest(limited_endpoints, limited_room) as b (endpoint_id, room) on b.endpoint_id = l.endpoint_id
      cross join lateral (
        select d.ctid as version, d.environment_id, d.endpoint_id from webhook_deliveries d
        where d.environment_id = l.environment_id and d.endpoint_id = l.endpoint_id and d.queued
          and d.claim_at <= moment
        order by d.event_position
        limit coalesce(b.room, per_endpoint)
        for update skip locked) as p
      limit at_most
    ), taken as (
      update webhook_deliveries d set
        claim_at = case when e.enabled then moment + make_interval(secs => lease_seconds) end,
        status = case when e.enabled then 'pending' when e.deleted_at is null then 'held' else 'cancelled' end
      from picked p
      join webhook_endpoints e on e.environment_id = p.environment_id and e.id = p.endpoint_id
      -- A row that changed between being found and being locked is left for the next round.
      where d.ctid = p.version
      returning d.environment_id, d.event_id, d.endpoint_id, d.resource_id, d.attempts, d.due_at, e.url, e.enabled,
        e.sealed_secret, e.sealed_previous_secret, e.previous_secret_until
    )
    select t.environment_id, n.kind, t.event_id, t.endpoint_id, t.resource_id, t.url, t.sealed_secret,
      t.sealed_previous_secret, t.previous_secret_until, v.event, v.created_at, v.resource_version, v.data::text,
      t.attempts, t.due_at
    from taken t
    join environments n on n.id = t.environment_id
    join events v on v.environment_id = t.environment_id and v.id = t.event_id
    where t.enabled;
end
$$;
alter function claim_webhook_deliveries(integer, integer, integer, uuid[], integer[], uuid, uuid) owner to jara_lookup;
revoke execute on function claim_webhook_deliveries(integer, integer, integer, uuid[], integer[], uuid, uuid)
  from public;
grant execute on function claim_webhook_deliveries(integer, integer, integer, uuid[], integer[], uuid, uuid)
  to jara_app;

-- Lets the next delivery of each of these resources go, if it is the first that is still open. Answers with those whose
-- next one a fan-out holds at this moment: ask again for them. Not waiting for it, this cannot be part of a circle.
create function release_webhook_deliveries(environment_ids uuid[], endpoint_ids uuid[], resource_ids uuid[])
  returns table (environment_id uuid, endpoint_id uuid, resource_id uuid)
  language plpgsql set plan_cache_mode = force_custom_plan as $$
begin
  return query
    with lines as (
      select distinct l.environment_id, l.endpoint_id, l.resource_id
      from unnest(environment_ids, endpoint_ids, resource_ids) as l (environment_id, endpoint_id, resource_id)
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
      returning d.environment_id, d.event_id, d.endpoint_id
    )
    select f.environment_id, f.endpoint_id, f.resource_id from first f
    where not exists (select from released r where r.environment_id = f.environment_id
      and r.event_id = f.event_id and r.endpoint_id = f.endpoint_id);
end
$$;
grant execute on function release_webhook_deliveries(uuid[], uuid[], uuid[]) to jara_app, jara_lookup;

-- Writes down deliveries that arrived, of any environments, in one go: [{environment_id, event_id, endpoint_id,
-- resource_id, at, sent_at, response_status, duration_ms, response_body}]. Answers like release_webhook_deliveries.
-- Locks: each environment's gate, shared, so that a reset finds nobody half-way; endpoints before deliveries, each in
-- the order of their keys.
create function record_webhook_arrivals(arrivals jsonb)
  returns table (environment_id uuid, endpoint_id uuid, resource_id uuid)
  language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
declare
  environment_ids uuid[];
  endpoint_ids uuid[];
  resource_ids uuid[];
begin
  select array_agg(a.environment_id), array_agg(a.endpoint_id), array_agg(a.resource_id)
  into environment_ids, endpoint_ids, resource_ids
  from jsonb_to_recordset(arrivals) as a (environment_id uuid, endpoint_id uuid, resource_id uuid);
  perform pg_advisory_xact_lock_shared(environment_gate(g.id))
  from (select distinct e.id from unnest(environment_ids) as e (id) order by e.id) as g;
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
  return query select * from release_webhook_deliveries(environment_ids, endpoint_ids, resource_ids);
end
$$;
alter function record_webhook_arrivals(jsonb) owner to jara_lookup;
revoke execute on function record_webhook_arrivals(jsonb) from public;
grant execute on function record_webhook_arrivals(jsonb) to jara_app;

-- Open deliveries of all environments that no worker holds and none waits for, in the order of their keys: the sweeper
-- finds out which of them nothing will ever move.
create function find_waiting_webhook_deliveries(after_environment uuid, after_event uuid, after_endpoint uuid,
  at_most integer)
  returns table (environment_id uuid, event_id uuid, endpoint_id uuid)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select d.environment_id, d.event_id, d.endpoint_id from webhook_deliveries d
    where d.status = 'pending' and d.claim_at is null
      and (d.environment_id, d.event_id, d.endpoint_id) > (after_environment, after_event, after_endpoint)
      and not (d.waits and exists (select from webhook_deliveries o
        where o.environment_id = d.environment_id and o.endpoint_id = d.endpoint_id
          and o.resource_id = d.resource_id and o.status = 'pending' and o.attempts < 4
          and o.event_position < d.event_position))
    order by d.environment_id, d.event_id, d.endpoint_id
    limit at_most;
  end;
alter function find_waiting_webhook_deliveries(uuid, uuid, uuid, integer) owner to jara_lookup;
revoke execute on function find_waiting_webhook_deliveries(uuid, uuid, uuid, integer) from public;
grant execute on function find_waiting_webhook_deliveries(uuid, uuid, uuid, integer) to jara_app;
