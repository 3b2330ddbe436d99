-- Numbers what others have committed and nobody has numbered yet, from `first` on. Returns how many. The caller holds
-- the environment's counter.
create or replace function sequence_waiting_events(first bigint) returns bigint
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
alter function sequence_waiting_events owner to jara_lookup;
revoke execute on function sequence_waiting_events from public;
grant execute on function sequence_waiting_events to jara_app;

-- Gives committed events their positions. The lock elects one sequencer at a time; who comes second returns at once.
-- Whoever numbers events holds the environment's counter, so only counters are locked, one by one; a counter that
-- somebody holds is left for the next pass.
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
  -- A sandbox that is being emptied is passed over, and nobody waits for the counter that it may have made.
  insert into list_counters (environment_id, resource, total)
  select w.environment_id, 'events', 0 from unnest(writers) as w (environment_id)
  where case (
      select count(*) from list_counters c where c.environment_id = w.environment_id and c.resource = 'events')
    when 0 then pg_try_advisory_xact_lock_shared(environment_gate(w.environment_id)) else false end
  on conflict do nothing;
  -- Before the events are looked for: what others have numbered until then is seen.
  select array_agg(c.environment_id) into writers from unnest(writers) as w (environment_id)
  cross join lateral (
    select o.environment_id from list_counters o
    where o.environment_id = w.environment_id and o.resource = 'events'
    for no key update skip locked) as c;
  if writers is null then
    return 0;
  end if;
  with free as materialized (
    select w.environment_id, n.kind from unnest(writers) as w (environment_id)
    cross join lateral (select e.kind from environments e where e.id = w.environment_id offset 0) as n
  ), live as materialized (
    select f.* from free w
    cross join lateral (
      select e.ctid as found, e.environment_id, e.sequence from events e
      where e.environment_id = w.environment_id and e.list_position is null
      order by e.sequence limit at_most) as f
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
      order by e.sequence limit greatest(at_most / 5, 1)) as f
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
alter function sequence_events owner to jara_lookup;
revoke execute on function sequence_events from public;
grant execute on function sequence_events to jara_app;

-- Writes the events of a batch in their order, each with its position, after everything that waits. Where so much waits
-- that the batch would be kept long, the sequencer numbers these as well. It must be the last that a transaction does:
-- it takes the counter's lock.
create or replace function record_batch_events(moment timestamptz, ids uuid[], names text[], resource_types text[],
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
revoke execute on function record_batch_events from public;
grant execute on function record_batch_events to jara_app;
