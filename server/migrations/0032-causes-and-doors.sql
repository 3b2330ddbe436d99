-- What is made up in a frozen sandbox (ids, digits) is a function of why it happens. A request's transaction counts;
-- a task that was booked carries the name of its own stream, made by the transaction that booked it. What a background
-- loop writes has neither, and so cannot move the others' ids, whenever it comes.
-- Null where it was booked on a running clock or in the background.
alter table agenda add column stream text;

-- When somebody last wrote in order, in real time. What looks after frozen sandboxes leaves alone those at work.
alter table environment_clocks add column touched_at timestamptz;

-- A writer never waits at the gate with a connection in its hand: it is turned away, and waits outside.
create function share_environment_gate(wanted uuid) returns void
  language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock_shared(environment_gate(wanted)) then
    raise exception 'the sandbox is being emptied' using errcode = 'JA001';
  end if;
end
$$;
grant execute on function share_environment_gate(uuid) to jara_app;

-- As before, and: a writer that is not numbered waits for its turn like the others and takes no number.
drop function enter_environment(uuid, boolean);
create function enter_environment(wanted uuid, writes boolean, numbered boolean)
  returns table (mode text, offset_ms bigint, frozen_at timestamptz, seed text, transaction_number bigint)
  language plpgsql as $$
declare
  found_clock environment_clocks;
begin
  perform set_config('jara.environment_id', wanted::text, true);
  if writes then
    perform share_environment_gate(wanted);
  end if;
  select * into found_clock from environment_clocks c where c.environment_id = wanted;
  if found_clock.mode = 'frozen' and writes then
    if numbered then
      update environment_clocks c set transaction_number = c.transaction_number + 1, touched_at = clock_timestamp()
      where c.environment_id = wanted and c.mode = 'frozen'
      returning * into found_clock;
    else
      select * into found_clock from environment_clocks c
      where c.environment_id = wanted and c.mode = 'frozen' for no key update;
    end if;
    if not found then
      -- The clock was set running while we waited for its row.
      select * into found_clock from environment_clocks c where c.environment_id = wanted;
    end if;
  end if;
  return query select coalesce(found_clock.mode, 'running'), coalesce(found_clock.offset_ms, 0),
    found_clock.frozen_at, found_clock.seed, coalesce(found_clock.transaction_number, 0);
end
$$;
grant execute on function enter_environment(uuid, boolean, boolean) to jara_app;

create or replace function book_agenda(entries jsonb) returns void
  language sql begin atomic
  insert into agenda as booked (environment_id, kind, subject, payload, due_at, wake_at, stream)
  select current_environment(), listed.entry ->> 'kind', listed.entry ->> 'subject',
    coalesce(listed.entry -> 'payload', '{}'::jsonb), (listed.entry ->> 'dueAt')::timestamptz,
    agenda_wake_at((listed.entry ->> 'dueAt')::timestamptz), listed.entry ->> 'stream'
  from jsonb_array_elements(entries) with ordinality as listed (entry, place)
  order by listed.place
  on conflict (environment_id, kind, subject) do update set payload = excluded.payload, due_at = excluded.due_at,
    wake_at = excluded.wake_at, stream = excluded.stream, booking = booked.booking + 1;
end;

-- Removes what was done, moves the clock to the next due time and returns the entries that may run together: the first
-- in (due_at, id) order and, where its kind can share a transaction, those right behind it of the same kind and time.
drop function step_agenda(uuid, timestamptz, bigint, integer, bigint[]);
create function step_agenda(
  wanted uuid, until timestamptz, done_ids bigint[], done_bookings integer[], skipped bigint[],
  shared_kinds text[], at_most integer)
  returns table (id bigint, booking integer, kind text, subject text, payload jsonb, due_at timestamptz, stream text)
  language plpgsql as $$
declare
  clock environment_clocks;
  next_due timestamptz;
begin
  perform set_config('jara.environment_id', wanted::text, true);
  select * into clock from environment_clocks c where c.environment_id = wanted and c.mode = 'frozen' for update;
  if not found then
    return;
  end if;
  delete from agenda a using unnest(done_ids, done_bookings) as d (id, booking)
  where a.environment_id = wanted and a.id = d.id and a.booking = d.booking;
  select a.due_at into next_due from agenda a
  where a.environment_id = wanted and a.due_at <= coalesce(until, clock.frozen_at) and a.id <> all (skipped)
  order by a.due_at, a.id limit 1;
  update environment_clocks c set frozen_at = greatest(c.frozen_at, coalesce(next_due, until)),
    touched_at = clock_timestamp()
  where c.environment_id = wanted;
  if next_due is null then
    return;
  end if;
  return query
    with near as (
      select a.* from agenda a
      where a.environment_id = wanted and a.due_at = next_due and a.id <> all (skipped)
      order by a.id limit at_most
    ), judged as (
      select n.*, first_value(n.kind) over (order by n.id) as first_kind from near n
    ), together as (
      select j.*, bool_and(j.kind = j.first_kind) over (order by j.id) as in_line from judged j
    )
    select t.id, t.booking, t.kind, t.subject, t.payload, t.due_at, t.stream from together t
    where t.in_line and (t.kind = any (shared_kinds) or t.id = (select min(n.id) from near n)) order by t.id;
end
$$;
grant execute on function step_agenda(uuid, timestamptz, bigint[], integer[], bigint[], text[], integer) to jara_app;

-- A request that is under way settles its own work; only what stands idle was left behind.
create or replace function find_unsettled_clocks(at_most integer)
  returns table (environment_id uuid, resumes boolean)
  language sql stable security definer set search_path = public, pg_temp begin atomic
  select c.environment_id, c.resumes from environment_clocks c
  where c.mode = 'frozen' and (c.resumes
    or (c.touched_at is null or c.touched_at < clock_timestamp() - interval '2 seconds')
      and exists (select from agenda a where a.environment_id = c.environment_id and a.due_at <= c.frozen_at))
  order by c.environment_id
  limit at_most;
end;

-- In a frozen sandbox a record is between two steps of its own whenever somebody is at work there. Only where nobody
-- has written for a minute can a record be stranded.
create or replace function find_records_without_work(task_kind text, environment_ids uuid[], subjects text[])
  returns table (environment_id uuid, subject text)
  language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query
    select r.environment_id, r.subject from unnest(environment_ids, subjects) as r (environment_id, subject)
    where not exists (
      select from agenda a
      where a.environment_id = r.environment_id and a.kind = task_kind and a.subject = r.subject)
    and not exists (
      select from pgboss.job j
      where j.name = task_kind and j.state in ('created', 'retry', 'active')
        and j.singleton_key = r.subject and j.group_id = r.environment_id::text)
    and not exists (
      select from environment_clocks c
      where c.environment_id = r.environment_id and c.mode = 'frozen'
        and c.touched_at > clock_timestamp() - interval '1 minute');
end
$$;

-- What a reset takes away is locked, and the sequencer passes over it instead of waiting: the events of all others get
-- their places meanwhile.
create or replace function sequence_events(at_most integer) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  sequenced integer;
begin
  if not pg_try_advisory_xact_lock(hashtext('jara.sequence_events')) then
    return 0;
  end if;
  with fresh as materialized (
    select e.environment_id, e.id, e.sequence from events e
    where e.list_position is null
    order by e.sequence limit at_most
    for no key update skip locked
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
  -- Whoever numbers events at this moment is waited for; from then on our own are passed over.
  perform pg_advisory_lock(hashtext('jara.sequence_events'));
  begin
    perform from events e where e.environment_id = wanted and e.list_position is null for update;
    perform pg_advisory_unlock(hashtext('jara.sequence_events'));
  exception when query_canceled or others then
    perform pg_advisory_unlock(hashtext('jara.sequence_events'));
    raise;
  end;

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
    transaction_number = 0, resumes = false
  where c.environment_id = wanted;
  return removed;
end
$$;

-- As before, and it counts as being at work.
create or replace function set_environment_clock(
  wanted uuid, new_mode text, at timestamptz, new_seed text, will_resume boolean)
  returns timestamptz
  language plpgsql as $$
declare
  clock environment_clocks;
  moment timestamptz;
begin
  perform set_config('jara.environment_id', wanted::text, true);
  if (select e.kind from environments e where e.id = wanted) is distinct from 'SANDBOX' then
    raise exception 'only a sandbox has a clock of its own' using errcode = 'restrict_violation';
  end if;
  insert into environment_clocks (environment_id) values (wanted) on conflict do nothing;
  select * into clock from environment_clocks c where c.environment_id = wanted for update;
  moment := date_trunc('milliseconds', coalesce(at, case clock.mode
    when 'frozen' then clock.frozen_at
    else clock_timestamp() + clock.offset_ms * interval '1 millisecond' end));
  update environment_clocks c set mode = new_mode, resumes = will_resume,
    touched_at = clock_timestamp(), seed = coalesce(new_seed, c.seed),
    frozen_at = case new_mode when 'frozen' then moment end,
    offset_ms = case new_mode when 'frozen' then 0
      else round(extract(epoch from moment - clock_timestamp()) * 1000)::bigint end
  where c.environment_id = wanted returning * into clock;
  update agenda a set wake_at = case new_mode
    when 'running' then a.due_at - clock.offset_ms * interval '1 millisecond' end
  where a.environment_id = wanted;
  return moment;
end
$$;
