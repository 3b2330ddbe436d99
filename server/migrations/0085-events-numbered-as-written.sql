-- A batch of money commands numbers its events as it writes them: the row is written once, the webhooks' deliveries
-- are made in the same transaction, and no pass of the sequencer has to follow. Whoever numbers events holds the
-- environment's counter until it commits, so positions still become visible in their order. Requests that write a
-- single event go on leaving it to the sequencer: they need not wait for one another.

-- Numbers what others have committed and nobody has numbered yet, from `first` on. Returns how many. The caller holds
-- the environment's counter.
create function sequence_waiting_events(first bigint) returns bigint
  language plpgsql security definer set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off
  set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  sequenced bigint;
begin
  with waiting as materialized (
    select e.ctid as found, row_number() over (order by e.sequence) as place from events e
    where e.environment_id = current_environment() and e.list_position is null
  )
  update events e set list_position = first + w.place - 1
  from waiting w where e.ctid = w.found;
  get diagnostics sequenced = row_count;
  return sequenced;
end
$$;
alter function sequence_waiting_events(bigint) owner to jara_lookup;
revoke execute on function sequence_waiting_events(bigint) from public;
grant execute on function sequence_waiting_events(bigint) to jara_app;

-- Writes the events of a batch in their order, each with its position, after everything that waits. Where so much waits
-- that the batch would be kept long, the sequencer numbers these as well. It must be the last that a transaction does:
-- it takes the counter's lock.
create function record_batch_events(moment timestamptz, ids uuid[], names text[], resource_types text[],
    resource_ids uuid[], versions integer[], bodies text[]) returns void
  language plpgsql set search_path = public, pg_temp
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off
  set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  own constant uuid := current_environment();
  wanted constant bigint := cardinality(ids);
  most_waiting constant bigint := 1000;
  first bigint;
  waiting bigint;
begin
  select count(*) into waiting from (
    select from events e where e.environment_id = own and e.list_position is null limit most_waiting) as w;
  if waiting < most_waiting then
    first := take_list_positions('events', wanted);
    -- Again, because others may have committed while we waited for the counter.
    if exists (select from events e where e.environment_id = own and e.list_position is null) then
      waiting := sequence_waiting_events(first);
      perform take_list_positions('events', waiting);
      first := first + waiting;
    end if;
  end if;
  insert into events (environment_id, id, event, resource_type, resource_id, resource_version, data, created_at,
    list_position)
  select own, e.id, e.event, e.resource_type, e.resource_id, e.resource_version, e.data::json, moment,
    first + e.place - 1
  from unnest(ids, names, resource_types, resource_ids, versions, bodies) with ordinality
    as e (id, event, resource_type, resource_id, resource_version, data, place)
  order by e.place;
end
$$;
revoke execute on function record_batch_events(timestamptz, uuid[], text[], text[], uuid[], integer[], text[])
  from public;
grant execute on function record_batch_events(timestamptz, uuid[], text[], text[], uuid[], integer[], text[])
  to jara_app;

-- As before, but a counter is held before events are: a batch holds its counter while it numbers what waits. Who holds
-- one is left for the next pass.
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
  where not exists (
    select from list_counters c where c.environment_id = w.environment_id and c.resource = 'events')
  on conflict do nothing;
  with free as materialized (
    select c.environment_id, n.kind from unnest(writers) as w (environment_id)
    join environments n on n.id = w.environment_id
    join list_counters c on c.environment_id = w.environment_id and c.resource = 'events'
    for no key update of c skip locked
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
    select f.found, (n.of ->> f.environment_id::text)::bigint + 1
        - row_number() over (partition by f.environment_id order by f.sequence desc) as list_position
    from fresh f cross join ends n
  )
  update events e set list_position = n.list_position
  from numbered n where e.ctid = n.found;
  get diagnostics sequenced = row_count;
  return sequenced;
end
$$;

-- Events are fanned out when they get their position, be it later or as they are written.
create or replace function fan_out_events() returns trigger
  language plpgsql
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off
  set enable_mergejoin = off set enable_bitmapscan = off as $$
declare
  moment constant timestamptz := clock_timestamp();
begin
  if not exists (
    select from (select distinct s.environment_id from sequenced s where s.list_position is not null) as touched
    join webhook_endpoints e on e.environment_id = touched.environment_id and e.deleted_at is null) then
    return null;
  end if;
  with wanted as materialized (
    select s.environment_id, s.id as event_id, e.id as endpoint_id, s.list_position, s.resource_id, s.created_at,
      e.enabled, row_number() over (
        partition by s.environment_id, e.id, s.resource_id order by s.list_position) as place
    from sequenced s
    join webhook_endpoints e on e.environment_id = s.environment_id and e.deleted_at is null
      and case s.event when 'webhook.test' then e.id = s.resource_id
        else s.event = any (e.events) or '*' = any (e.events) end
    where s.list_position is not null
  ), ahead as materialized (
    select d.environment_id, d.endpoint_id, d.resource_id from webhook_deliveries d
    join (
      select last.environment_id, last.event_id, last.endpoint_id from wanted w
      cross join lateral (
        select o.environment_id, o.event_id, o.endpoint_id from webhook_deliveries o
        where o.environment_id = w.environment_id and o.endpoint_id = w.endpoint_id
          and o.resource_id = w.resource_id and o.status = 'pending' and o.attempts < 4
        order by o.event_position desc limit 1) as last
      where w.enabled and w.place = 1
    ) as l on l.environment_id = d.environment_id and l.event_id = d.event_id and l.endpoint_id = d.endpoint_id
    where d.status = 'pending' and d.attempts < 4
    order by d.environment_id, d.event_id, d.endpoint_id
    for share of d
  ), judged as (
    select w.*, w.enabled and (w.place > 1 or a.environment_id is not null) as waits from wanted w
    left join ahead a on a.environment_id = w.environment_id and a.endpoint_id = w.endpoint_id
      and a.resource_id = w.resource_id
  )
  insert into webhook_deliveries (environment_id, event_id, endpoint_id, event_position, resource_id, status, due_at,
    claim_at, waits)
  select j.environment_id, j.event_id, j.endpoint_id, j.list_position, j.resource_id,
    case when j.enabled then 'pending' else 'held' end, j.created_at,
    case when j.enabled and not j.waits then moment end, j.waits
  from judged j
  on conflict do nothing;
  return null;
end
$$;
create trigger fan_out_written after insert on events referencing new table as sequenced
  for each statement execute function fan_out_events();
