-- A line is looked at only where something waits in it.
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

-- Whoever numbers events holds the environment's counter, so nothing but the counter needs to be locked. Before, each
-- event was locked as well, which is written to the log, because a sandbox that is emptied locked its events. It locks
-- the counter now, and need not shut out those who number the events of others.
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

create or replace function reset_sandbox(wanted uuid) returns bigint
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  remaining regclass[];
  ready regclass[];
  target regclass;
  touched bigint;
  removed bigint := 0;
begin
  if (select e.kind from environments e where e.id = wanted) is distinct from 'SANDBOX' then
    raise exception 'only a sandbox can be reset' using errcode = 'restrict_violation';
  end if;
  if wanted is distinct from current_environment() then
    raise exception 'a sandbox is reset from inside' using errcode = 'insufficient_privilege';
  end if;
  perform pg_advisory_xact_lock(environment_gate(wanted));
  perform pg_advisory_xact_lock(hashtext('jara.fold_account_deltas'));
  -- Whoever numbers our events at this moment is waited for; from then on they are passed over.
  insert into list_counters (environment_id, resource, total) values (wanted, 'events', 0) on conflict do nothing;
  perform from list_counters c where c.environment_id = wanted and c.resource = 'events' for update;

  select array_agg(c.oid::regclass) into remaining
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and not c.relispartition and n.nspname = 'public'
    and exists (select from pg_attribute a
      where a.attrelid = c.oid and a.attname = 'environment_id' and not a.attisdropped)
    and c.oid <> all (array['api_keys', 'environment_clocks', 'list_counters']::regclass[]);
  -- Rows that others refer to go after those that refer to them.
  while cardinality(remaining) > 0 loop
    select array_agg(r.t order by r.t::text) into ready from unnest(remaining) as r (t)
    where not exists (select from pg_constraint k
      where k.contype = 'f' and k.confrelid = r.t and k.conrelid <> r.t and k.conrelid = any (remaining));
    if ready is null then
      raise exception 'these tables refer to each other in a circle: %', remaining;
    end if;
    foreach target in array ready loop
      execute format('delete from %s where environment_id = $1', target) using wanted;
      get diagnostics touched = row_count;
      removed := removed + touched;
    end loop;
    remaining := array(select r.t from unnest(remaining) as r (t) where r.t <> all (ready));
  end loop;

  for target in
    select c.oid::regclass from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and n.nspname like 'simulated\_%'
      and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'sandbox' and not a.attisdropped)
  loop
    execute format('delete from %s where sandbox = $1', target) using wanted;
    get diagnostics touched = row_count;
    removed := removed + touched;
  end loop;

  delete from list_counters c where c.environment_id = wanted and c.resource <> 'api_keys';
  update environment_clocks c set mode = 'running', offset_ms = 0, frozen_at = null, seed = null,
    transaction_number = 0, resumes = false, touched_at = null
  where c.environment_id = wanted;
  return removed;
end
$$;
