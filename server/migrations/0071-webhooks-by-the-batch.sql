-- Deliveries are claimed and settled by the batch, in statements whose plan is made once for a connection and is right
-- from the first row on: every way but that of nested loops over indexes is shut, because a plan that was made while
-- the tables were empty would scan them for as long as it is kept. To plan each batch again cost more than to run it.

-- What was acknowledged comes as arrays, sorted by key, and each row is touched once: the update locks in the order of
-- the arrays, as the lock before it did.
drop function record_webhook_arrivals(jsonb);
create function record_webhook_arrivals(
  environment_ids uuid[], event_ids uuid[], endpoint_ids uuid[], resource_ids uuid[], moments timestamptz[],
  sent_moments timestamptz[], statuses integer[], durations_ms integer[], bodies text[])
  returns table (environment_id uuid, endpoint_id uuid, resource_id uuid, turned_away boolean)
  language plpgsql security definer set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off
  set enable_mergejoin = off set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
  shut_ids uuid[];
begin
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
  with settled as (
    update webhook_deliveries d set status = 'delivered', attempts = d.attempts + 1, claim_at = null, waits = false,
      completed_at = a.at
    from unnest(environment_ids, event_ids, endpoint_ids, moments, sent_moments, statuses, durations_ms, bodies)
      as a (environment_id, event_id, endpoint_id, at, sent_at, status, duration_ms, body)
    where d.environment_id = a.environment_id and d.event_id = a.event_id and d.endpoint_id = a.endpoint_id
    returning d.environment_id, d.event_id, d.endpoint_id, a.at, a.sent_at, a.status, a.duration_ms, a.body
  )
  insert into webhook_attempts (environment_id, event_id, endpoint_id, at, sent_at, response_status, duration_ms,
    response_body)
  select s.environment_id, s.event_id, s.endpoint_id, s.at, s.sent_at, s.status, s.duration_ms, s.body
  from settled s;
  return query
    select r.environment_id, r.endpoint_id, r.resource_id, false
    from release_webhook_deliveries(environment_ids, endpoint_ids, resource_ids) as r
    union all
    select c.id, null::uuid, null::uuid, true from unnest(shut_ids) as c (id);
end
$$;
alter function record_webhook_arrivals(uuid[], uuid[], uuid[], uuid[], timestamptz[], timestamptz[], integer[],
  integer[], text[]) owner to jara_lookup;
revoke execute on function record_webhook_arrivals(uuid[], uuid[], uuid[], uuid[], timestamptz[], timestamptz[],
  integer[], integer[], text[]) from public;
grant execute on function record_webhook_arrivals(uuid[], uuid[], uuid[], uuid[], timestamptz[], timestamptz[],
  integer[], integer[], text[]) to jara_app;

-- As before, planned once.
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

-- As before, planned once; the rooms of endpoints come as an object by endpoint, in which each is found at once. Events
-- are found one by one, and by their resource too: two indexes of theirs begin with the environment, and while the
-- table is empty both look the same. So both are narrow.
drop function claim_webhook_deliveries(integer, integer, integer, integer, uuid[], integer[], uuid, uuid, uuid, uuid);
create function claim_webhook_deliveries(
  at_most integer, sandboxes_at_most integer, per_endpoint integer, lease_seconds integer, rooms jsonb,
  after_live_environment uuid, after_live_endpoint uuid, after_environment uuid, after_endpoint uuid)
  returns table (environment_id uuid, environment_kind text, event_id uuid, endpoint_id uuid, resource_id uuid,
    url text, sealed_secret bytea, sealed_previous_secret bytea, previous_secret_until timestamptz, event text,
    created_at timestamptz, resource_version integer, data text, attempts integer, due_at timestamptz)
  language plpgsql security definer set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off
  set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  moment constant timestamptz := clock_timestamp();
begin
  return query
    with recursive live_lanes as materialized (
      -- Live environments have few endpoints beside the sandboxes' many: each is asked.
      select w.environment_id, w.id as endpoint_id from webhook_endpoints w
      join environments n on n.id = w.environment_id and n.kind = 'LIVE'
      where (w.environment_id, w.id) > (after_live_environment, after_live_endpoint)
        and exists (select from webhook_deliveries d
          where d.environment_id = w.environment_id and d.endpoint_id = w.id and d.queued)
      order by w.environment_id, w.id limit 2000
    ), lanes as (
      (select d.environment_id, d.endpoint_id, 1 as place from webhook_deliveries d
        where d.queued and (d.environment_id, d.endpoint_id) > (after_environment, after_endpoint)
          and sandboxes_at_most > 0
        order by d.environment_id, d.endpoint_id limit 1)
      union all
      select n.environment_id, n.endpoint_id, l.place + 1 from lanes l
      cross join lateral (
        select d.environment_id, d.endpoint_id from webhook_deliveries d
        where d.queued and (d.environment_id, d.endpoint_id) > (l.environment_id, l.endpoint_id)
        order by d.environment_id, d.endpoint_id limit 1) as n
      where l.place < 2000
    ), live as materialized (
      select p.* from live_lanes l
      cross join lateral (
        select d.ctid as version, d.environment_id, d.endpoint_id from webhook_deliveries d
        where d.environment_id = l.environment_id and d.endpoint_id = l.endpoint_id and d.queued
          and d.claim_at <= moment
        order by d.event_position
        limit coalesce((rooms ->> l.endpoint_id::text)::integer, per_endpoint)
        for update skip locked) as p
      limit at_most
    ), others as materialized (
      select p.* from lanes l
      join environments n on n.id = l.environment_id and n.kind <> 'LIVE'
      cross join lateral (
        select d.ctid as version, d.environment_id, d.endpoint_id from webhook_deliveries d
        where d.environment_id = l.environment_id and d.endpoint_id = l.endpoint_id and d.queued
          and d.claim_at <= moment
        order by d.event_position
        limit coalesce((rooms ->> l.endpoint_id::text)::integer, per_endpoint)
        for update skip locked) as p
      limit greatest(least(sandboxes_at_most, at_most - (select count(*) from live)), 0)
    ), picked as (
      select * from live union all select * from others
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
    cross join lateral (
      select o.event, o.created_at, o.resource_version, o.data from events o
      where o.environment_id = t.environment_id and o.id = t.event_id and o.resource_id = t.resource_id
      limit 1) as v
    where t.enabled;
end
$$;
alter function claim_webhook_deliveries(integer, integer, integer, integer, jsonb, uuid, uuid, uuid, uuid)
  owner to jara_lookup;
revoke execute on function claim_webhook_deliveries(integer, integer, integer, integer, jsonb, uuid, uuid, uuid, uuid)
  from public;
grant execute on function claim_webhook_deliveries(integer, integer, integer, integer, jsonb, uuid, uuid, uuid, uuid)
  to jara_app;
