-- What an event has to do with endpoints and with deliveries ahead of it is looked up row by row. Before, a plan could
-- hold each of a thousand endpoints against all new events, and each new delivery against all that are ahead of others.
create or replace function fan_out_events()
  returns trigger
  language plpgsql
  set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
  set enable_hashjoin = off
  set enable_mergejoin = off
  set enable_bitmapscan = off as $$
declare
  moment constant timestamptz := clock_timestamp();
  -- What waited before and is numbered on this occasion takes its turn in the queue.
  is_own constant boolean := tg_op = 'INSERT';
  rooms constant jsonb := case when is_own then nullif(current_setting('jara.webhook_rooms', true), '') end;
  claimed_until constant timestamptz :=
    case when is_own then nullif(current_setting('jara.webhooks_claimed_until', true), '') end;
begin
  if not exists (
    select from (select distinct s.environment_id from sequenced s where s.list_position is not null) as touched
    cross join lateral (
      select from webhook_endpoints e where e.environment_id = touched.environment_id and e.deleted_at is null
      limit 1) as e) then
    return null;
  end if;
  with wanted as materialized (
    select s.environment_id, s.id as event_id, e.id as endpoint_id, s.list_position, s.resource_id, s.created_at,
      e.enabled, row_number() over (
        partition by s.environment_id, e.id, s.resource_id order by s.list_position) as place
    from sequenced s
    -- Without the offset a plan may begin with the endpoints of everybody, and hold all events against each.
    cross join lateral (
      select o.id, o.enabled from webhook_endpoints o
      where o.environment_id = s.environment_id and o.deleted_at is null
        and case s.event when 'webhook.test' then o.id = s.resource_id
          else s.event = any (o.events) or '*' = any (o.events) end
      offset 0) as e
    where s.list_position is not null
  ), found as materialized (
    select w.*, last.event_id as ahead_id, last.event_position as ahead_position from wanted w
    left join lateral (
      select o.event_id, o.event_position from webhook_deliveries o
      where w.enabled and w.place = 1 and o.environment_id = w.environment_id and o.endpoint_id = w.endpoint_id
        and o.resource_id = w.resource_id and o.status = 'pending' and o.attempts < 4
      order by o.event_position desc limit 1) as last on true
    order by w.environment_id, last.event_id, w.endpoint_id
  ), judged as materialized (
    -- All of its keys are named: whichever index is taken leads to it, and not to all that wait.
    select f.*, f.enabled and (f.place > 1 or d.is_ahead is not null) as waits from found f
    left join lateral (
      select true as is_ahead from webhook_deliveries o
      where o.environment_id = f.environment_id and o.event_id = f.ahead_id and o.endpoint_id = f.endpoint_id
        and o.resource_id = f.resource_id and o.event_position = f.ahead_position
        and o.status = 'pending' and o.attempts < 4
      for share) as d on true
  ), ranked as (
    select j.*, row_number() over (
        partition by j.environment_id, j.endpoint_id, j.waits order by j.list_position)
      <= coalesce((rooms ->> j.endpoint_id::text)::integer, 0) as has_room
    from judged j
  )
  insert into webhook_deliveries (environment_id, event_id, endpoint_id, event_position, resource_id, status, due_at,
    claim_at, waits)
  select j.environment_id, j.event_id, j.endpoint_id, j.list_position, j.resource_id,
    case when j.enabled then 'pending' else 'held' end, j.created_at,
    case when j.enabled and not j.waits then case when j.has_room then claimed_until else moment end end, j.waits
  from ranked j;
  return null;
end
$$;

-- A claim asks the endpoints of live environments, and finds them from there: before, it went through everybody's.
create or replace function claim_webhook_deliveries(
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
    with recursive live_homes as materialized (
      select n.id from environments n where n.kind = 'LIVE'
    ), live_lanes as materialized (
      -- Live environments have few endpoints beside the sandboxes' many: each is asked, and no other.
      select w.environment_id, w.id as endpoint_id from live_homes h
      cross join lateral (
        select o.environment_id, o.id from webhook_endpoints o
        where o.environment_id = h.id and (o.environment_id, o.id) > (after_live_environment, after_live_endpoint)
          and exists (select from webhook_deliveries d
            where d.environment_id = o.environment_id and d.endpoint_id = o.id and d.queued)
        offset 0) as w
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

-- As before, but that counters are found one by one, and that rows which are sorted do not carry all ends along: with a
-- thousand environments in one pass each counter was held against all of them, and each row had 80 kilobytes.
create or replace function sequence_events(at_most integer) returns integer
  language plpgsql security definer set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off
  set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  writers uuid[];
  sequenced integer;
begin
  if not pg_try_advisory_xact_lock(hashtext('jara.sequence_events')) then
    return 0;
  end if;
  with recursive found as (
    (select e.environment_id from events e where e.list_position is null order by e.environment_id limit 1)
    union all
    select n.environment_id from found w
    cross join lateral (
      select e.environment_id from events e where e.list_position is null and e.environment_id > w.environment_id
      order by e.environment_id limit 1) as n
  )
  select array_agg(environment_id) into writers from found;
  if writers is null then
    return 0;
  end if;
  insert into list_counters (environment_id, resource, total)
  select w.environment_id, 'events', 0 from unnest(writers) as w (environment_id)
  where (
    select count(*) from list_counters c where c.environment_id = w.environment_id and c.resource = 'events') = 0
  on conflict do nothing;
  with free as materialized (
    select c.environment_id, n.kind from unnest(writers) as w (environment_id)
    cross join lateral (
      select o.environment_id from list_counters o
      where o.environment_id = w.environment_id and o.resource = 'events'
      for no key update skip locked) as c
    cross join lateral (select e.kind from environments e where e.id = w.environment_id offset 0) as n
  ), live as materialized (
    select f.* from free w
    cross join lateral (
      select e.ctid as found, e.environment_id, e.sequence from events e
      where e.environment_id = w.environment_id and e.list_position is null
      order by e.sequence limit at_most
      for no key update skip locked) as f
    where w.kind = 'LIVE'
    limit at_most
  ), others as materialized (
    select f.* from (
      select w.environment_id from free w
      where w.kind <> 'LIVE'
      -- So that many that write much take turns.
      order by random()) as w
    cross join lateral (
      select e.ctid as found, e.environment_id, e.sequence from events e
      where e.environment_id = w.environment_id and e.list_position is null
      order by e.sequence limit greatest(at_most / 5, 1)
      for no key update skip locked) as f
    limit greatest(at_most - (select count(*) from live), 0)
  ), fresh as materialized (
    select * from live union all select * from others
  ), counters as (
    insert into list_counters as c (environment_id, resource, total)
    select f.environment_id, 'events', count(*) from fresh f group by f.environment_id order by f.environment_id
    on conflict (environment_id, resource) do update set total = c.total + excluded.total
    returning c.environment_id, c.total
  ), ends as materialized (
    select jsonb_object_agg(c.environment_id, c.total) as of from counters c
  ), numbered as materialized (
    -- The object with all ends joins last: what is sorted must not carry it along.
    select r.found, (n.of ->> r.environment_id::text)::bigint + 1 - r.place as list_position
    from (
      select f.found, f.environment_id,
        row_number() over (partition by f.environment_id order by f.sequence desc) as place
      from fresh f) as r
    cross join ends n
  )
  update events e set list_position = n.list_position
  from numbered n where e.ctid = n.found;
  get diagnostics sequenced = row_count;
  return sequenced;
end
$$;
