-- Live goes first where all environments share: numbers for events, and slots for webhooks.

-- An event is numbered within its environment, so it is found by it. However much sandboxes have written, live events
-- are numbered in the next pass; of sandboxes each has its part of a pass, and none waits for another that writes more.
drop index events_unsequenced;
create index events_unsequenced on events (environment_id, sequence) where list_position is null;

create or replace function sequence_events(at_most integer) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  sequenced integer;
begin
  if not pg_try_advisory_xact_lock(hashtext('jara.sequence_events')) then
    return 0;
  end if;
  with recursive writers as (
    (select e.environment_id from events e where e.list_position is null order by e.environment_id limit 1)
    union all
    select n.environment_id from writers w
    cross join lateral (
      select e.environment_id from events e where e.list_position is null and e.environment_id > w.environment_id
      order by e.environment_id limit 1) as n
  ), live as materialized (
    select f.* from writers w
    join environments n on n.id = w.environment_id and n.kind = 'LIVE'
    cross join lateral (
      select e.environment_id, e.id, e.sequence from events e
      where e.environment_id = w.environment_id and e.list_position is null
      order by e.sequence limit at_most
      for no key update skip locked) as f
    limit at_most
  ), others as materialized (
    select f.* from (
      select w.environment_id from writers w
      join environments n on n.id = w.environment_id and n.kind <> 'LIVE'
      -- So that many that write much take turns.
      order by random()) as w
    cross join lateral (
      select e.environment_id, e.id, e.sequence from events e
      where e.environment_id = w.environment_id and e.list_position is null
      order by e.sequence limit greatest(at_most / 5, 1)
      for no key update skip locked) as f
    limit greatest(at_most - (select count(*) from live), 0)
  ), fresh as (
    select * from live union all select * from others
  ), counted as (
    select f.environment_id, count(*) as added from fresh f group by f.environment_id
  ), counters as (
    insert into list_counters as c (environment_id, resource, total)
    select k.environment_id, 'events', k.added from counted k
    order by k.environment_id
    on conflict (environment_id, resource) do update set total = c.total + excluded.total
    returning c.environment_id, c.total
  ), numbered as (
    select f.environment_id, f.id,
      c.total - k.added + row_number() over (partition by f.environment_id order by f.sequence) as list_position
    from fresh f
    join counters c on c.environment_id = f.environment_id
    join counted k on k.environment_id = f.environment_id
  )
  update events e set list_position = n.list_position
  from numbered n where e.environment_id = n.environment_id and e.id = n.id;
  get diagnostics sequenced = row_count;
  return sequenced;
end
$$;

-- As before, and what is due in live environments is taken first. What sandboxes may take is told apart from the rest,
-- so that their receivers never hold every slot of a sender.
drop function claim_webhook_deliveries(integer, integer, integer, uuid[], integer[], uuid, uuid);
create function claim_webhook_deliveries(
  at_most integer, sandboxes_at_most integer, per_endpoint integer, lease_seconds integer,
  limited_endpoints uuid[], limited_room integer[],
  after_live_environment uuid, after_live_endpoint uuid, after_environment uuid, after_endpoint uuid)
  returns table (environment_id uuid, environment_kind text, event_id uuid, endpoint_id uuid, resource_id uuid,
    url text, sealed_secret bytea, sealed_previous_secret bytea, previous_secret_until timestamptz, event text,
    created_at timestamptz, resource_version integer, data text, attempts integer, due_at timestamptz)
  language plpgsql security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
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
      left join unnest(limited_endpoints, limited_room) as b (endpoint_id, room) on b.endpoint_id = l.endpoint_id
      cross join lateral (
        select d.ctid as version, d.environment_id, d.endpoint_id from webhook_deliveries d
        where d.environment_id = l.environment_id and d.endpoint_id = l.endpoint_id and d.queued
          and d.claim_at <= moment
        order by d.event_position
        limit coalesce(b.room, per_endpoint)
        for update skip locked) as p
      limit at_most
    ), others as materialized (
      select p.* from lanes l
      join environments n on n.id = l.environment_id and n.kind <> 'LIVE'
      left join unnest(limited_endpoints, limited_room) as b (endpoint_id, room) on b.endpoint_id = l.endpoint_id
      cross join lateral (
        select d.ctid as version, d.environment_id, d.endpoint_id from webhook_deliveries d
        where d.environment_id = l.environment_id and d.endpoint_id = l.endpoint_id and d.queued
          and d.claim_at <= moment
        order by d.event_position
        limit coalesce(b.room, per_endpoint)
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
    join events v on v.environment_id = t.environment_id and v.id = t.event_id
    where t.enabled;
end
$$;
alter function claim_webhook_deliveries(integer, integer, integer, integer, uuid[], integer[], uuid, uuid, uuid, uuid)
  owner to jara_lookup;
revoke execute on function
  claim_webhook_deliveries(integer, integer, integer, integer, uuid[], integer[], uuid, uuid, uuid, uuid) from public;
grant execute on function
  claim_webhook_deliveries(integer, integer, integer, integer, uuid[], integer[], uuid, uuid, uuid, uuid) to jara_app;
