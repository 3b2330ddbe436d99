-- One clock per environment. A LIVE environment has no row here: it follows real time.
create table environment_clocks (
  environment_id uuid primary key references environments (id),
  mode text not null default 'running' check (mode in ('running', 'frozen')),
  -- Running: environment time = real time + offset.
  offset_ms bigint not null default 0,
  -- Frozen: environment time stands here.
  frozen_at timestamptz,
  seed text,
  -- Counts writing transactions of a frozen sandbox; seed and number make each one's ids its own.
  transaction_number bigint not null default 0,
  -- An advance stops the clock at each due time in turn; afterwards the clock runs on if this says so.
  resumes boolean not null default false,
  check (mode = 'running' or frozen_at is not null)
);
call protect_tenant_table('environment_clocks');
grant select, insert, update on environment_clocks to jara_app, jara_lookup;

-- Every writer of an environment shares this lock until its transaction ends. The reset of a sandbox takes it alone
-- and so finds nobody half-way.
create function environment_gate(wanted uuid) returns bigint
  language sql immutable parallel safe
  return hashtextextended('jara.gate/' || wanted::text, 0);

-- Enters an environment for the rest of the transaction and answers with its clock. A writer in a frozen sandbox
-- takes the next number and holds the clock's row until it ends: writes there happen one after another.
create function enter_environment(wanted uuid, writes boolean)
  returns table (mode text, offset_ms bigint, frozen_at timestamptz, seed text, transaction_number bigint)
  language plpgsql as $$
declare
  found_clock environment_clocks;
begin
  perform set_config('jara.environment_id', wanted::text, true);
  if writes then
    perform pg_advisory_xact_lock_shared(environment_gate(wanted));
  end if;
  select * into found_clock from environment_clocks c where c.environment_id = wanted;
  if found_clock.mode = 'frozen' and writes then
    update environment_clocks c set transaction_number = c.transaction_number + 1
    where c.environment_id = wanted and c.mode = 'frozen'
    returning * into found_clock;
    if not found then
      -- The clock was set running while we waited for its row.
      select * into found_clock from environment_clocks c where c.environment_id = wanted;
    end if;
  end if;
  return query select coalesce(found_clock.mode, 'running'), coalesce(found_clock.offset_ms, 0),
    found_clock.frozen_at, found_clock.seed, coalesce(found_clock.transaction_number, 0);
end
$$;
grant execute on function enter_environment(uuid, boolean) to jara_app;

-- Everything that is due later, in the environment's time. wake_at is the same moment in real time, kept for running
-- clocks so that one index finds what is due in all environments; null while the clock is frozen.
create table agenda (
  environment_id uuid not null references environments (id),
  id bigint generated always as identity,
  kind text not null,
  -- What the entry is about, usually a record's id. One entry a kind and subject: booking again moves it.
  subject text not null,
  payload jsonb not null default '{}',
  due_at timestamptz not null,
  wake_at timestamptz,
  -- Counts bookings of this entry, so that who ran it removes it only if it was not booked again meanwhile.
  booking integer not null default 1,
  primary key (environment_id, id),
  unique (environment_id, kind, subject)
);
create index agenda_by_due on agenda (environment_id, due_at, id);
create index agenda_by_wake on agenda (wake_at) where wake_at is not null;
call protect_tenant_table('agenda');
grant select, insert, update, delete on agenda to jara_app;
-- Locking a row for update takes the right to update it.
grant select, update, delete on agenda to jara_lookup;

-- When an entry of the entered environment falls due in real time. The share lock on the clock's row makes a change
-- of the clock wait for bookings under way, and bookings wait for it: no entry keeps a wake_at of the old clock.
create function agenda_wake_at(due timestamptz) returns timestamptz
  language plpgsql as $$
declare
  found_clock environment_clocks;
begin
  select * into found_clock from environment_clocks c where c.environment_id = current_environment() for share;
  if found_clock.mode = 'frozen' then
    return null;
  end if;
  return due - coalesce(found_clock.offset_ms, 0) * interval '1 millisecond';
end
$$;
grant execute on function agenda_wake_at(timestamptz) to jara_app;

-- Books entries [{kind, subject, payload, dueAt}] of the entered environment, in their order.
create function book_agenda(entries jsonb) returns void
  language sql
  begin atomic
    insert into agenda as booked (environment_id, kind, subject, payload, due_at, wake_at)
    select current_environment(), entry ->> 'kind', entry ->> 'subject', coalesce(entry -> 'payload', '{}'),
      (entry ->> 'dueAt')::timestamptz, agenda_wake_at((entry ->> 'dueAt')::timestamptz)
    from jsonb_array_elements(entries) with ordinality as listed (entry, place)
    order by place
    on conflict (environment_id, kind, subject) do update
    set payload = excluded.payload, due_at = excluded.due_at, wake_at = excluded.wake_at,
      booking = booked.booking + 1;
  end;
grant execute on function book_agenda(jsonb) to jara_app;

-- Sets a sandbox's clock and re-times its agenda. `at` is the environment's time, null for what it is now.
create function set_environment_clock(wanted uuid, new_mode text, at timestamptz, new_seed text, will_resume boolean)
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
  update environment_clocks c set mode = new_mode, resumes = will_resume, seed = coalesce(new_seed, c.seed),
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
grant execute on function set_environment_clock(uuid, text, timestamptz, text, boolean) to jara_app;

-- One step of a stopped clock. Removes the entry that was just run (unless it was booked again), finds the next one
-- due up to `until` and moves the clock to its due time; with none left the clock stands at `until`. Null `until`
-- means the time at which the clock stands. The clock's row is locked first: a write in this sandbox comes either
-- before the step, and its bookings are seen, or after it.
create function step_agenda(wanted uuid, until timestamptz, done_id bigint, done_booking integer, skipped bigint[])
  returns table (id bigint, booking integer, kind text, subject text, payload jsonb, due_at timestamptz)
  language plpgsql as $$
declare
  clock environment_clocks;
  next_entry agenda;
begin
  perform set_config('jara.environment_id', wanted::text, true);
  select * into clock from environment_clocks c where c.environment_id = wanted and c.mode = 'frozen' for update;
  if not found then
    return;
  end if;
  if done_id is not null then
    delete from agenda a where a.environment_id = wanted and a.id = done_id and a.booking = done_booking;
  end if;
  select * into next_entry from agenda a
  where a.environment_id = wanted and a.due_at <= coalesce(until, clock.frozen_at) and a.id <> all (skipped)
  order by a.due_at, a.id limit 1;
  update environment_clocks c set frozen_at = coalesce(next_entry.due_at, until)
  where c.environment_id = wanted and c.frozen_at < coalesce(next_entry.due_at, until);
  if next_entry.id is not null then
    return query select next_entry.id, next_entry.booking, next_entry.kind, next_entry.subject, next_entry.payload,
      next_entry.due_at;
  end if;
end
$$;
grant execute on function step_agenda(uuid, timestamptz, bigint, integer, bigint[]) to jara_app;

-- Takes what is due in running environments, of the kinds that this process knows. The caller makes jobs of it in the
-- same transaction; several may take at once and each entry goes to one of them.
create function take_due_agenda(known_kinds text[], at_most integer)
  returns table (environment_id uuid, kind text, subject text, payload jsonb, due_at timestamptz)
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return query
    with due as (
      select a.environment_id, a.id from agenda a
      where a.wake_at <= clock_timestamp() and a.kind = any (known_kinds)
      order by a.wake_at
      limit at_most
      for update skip locked
    )
    delete from agenda a using due
    where a.environment_id = due.environment_id and a.id = due.id
    returning a.environment_id, a.kind, a.subject, a.payload, a.due_at;
end
$$;
alter function take_due_agenda(text[], integer) owner to jara_lookup;
revoke execute on function take_due_agenda(text[], integer) from public;
grant execute on function take_due_agenda(text[], integer) to jara_app;

-- Milliseconds until the next entry of a running environment falls due; null when there is none.
create function next_agenda_wake_ms(known_kinds text[]) returns double precision
  language sql volatile security definer set search_path = public, pg_temp
  begin atomic
    select extract(epoch from a.wake_at - clock_timestamp()) * 1000 from agenda a
    where a.wake_at is not null and a.kind = any (known_kinds)
    order by a.wake_at limit 1;
  end;
alter function next_agenda_wake_ms(text[]) owner to jara_lookup;
revoke execute on function next_agenda_wake_ms(text[]) from public;
grant execute on function next_agenda_wake_ms(text[]) to jara_app;

-- Which of these environments stand still. A worker leaves their work to whoever moves their clock.
create function find_frozen_environments(candidates uuid[]) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select c.environment_id from environment_clocks c
    where c.environment_id = any (candidates) and c.mode = 'frozen';
  end;
alter function find_frozen_environments(uuid[]) owner to jara_lookup;
revoke execute on function find_frozen_environments(uuid[]) from public;
grant execute on function find_frozen_environments(uuid[]) to jara_app;

-- Stopped clocks that somebody must look after: an advance under way or killed (it would have resumed), or due
-- entries that a killed process left behind.
create function find_unsettled_clocks(at_most integer) returns table (environment_id uuid, resumes boolean)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select c.environment_id, c.resumes from environment_clocks c
    where c.mode = 'frozen' and (c.resumes or exists (
      select from agenda a where a.environment_id = c.environment_id and a.due_at <= c.frozen_at))
    order by c.environment_id limit at_most;
  end;
alter function find_unsettled_clocks(integer) owner to jara_lookup;
revoke execute on function find_unsettled_clocks(integer) from public;
grant execute on function find_unsettled_clocks(integer) to jara_app;

-- Of these records, those that nothing will ever move again: no agenda entry and no live job. The body is text, not
-- checked at creation, because the job tables are made later by the job library itself.
create function find_records_without_work(task_kind text, environment_ids uuid[], subjects text[])
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
        and j.singleton_key = r.subject and j.group_id = r.environment_id::text);
end
$$;
alter function find_records_without_work(text, uuid[], text[]) owner to jara_lookup;
revoke execute on function find_records_without_work(text, uuid[], text[]) from public;
grant execute on function find_records_without_work(text, uuid[], text[]) to jara_app;
