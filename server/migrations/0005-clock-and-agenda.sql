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

-- Enters an environment for the rest of the transaction and answers with its clock. A writer in a frozen sandbox
-- takes the next number and holds the clock's row until it ends: writes there happen one after another.
create function enter_environment(wanted uuid, writes boolean)
  returns table (mode text, offset_ms bigint, frozen_at timestamptz, seed text, transaction_number bigint)
  language plpgsql as $$
declare
  found_clock environment_clocks;
begin
  perform set_config('jara.environment_id', wanted::text, true);
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
  primary key (environment_id, id),
  unique (environment_id, kind, subject)
);
create index agenda_by_due on agenda (environment_id, due_at, id);
create index agenda_by_wake on agenda (wake_at) where wake_at is not null;
call protect_tenant_table('agenda');
grant select, insert, update, delete on agenda to jara_app;
grant select, delete on agenda to jara_lookup;

-- Takes what is due in running environments. The caller makes jobs of it in the same transaction.
create function take_due_agenda(at_most integer)
  returns table (environment_id uuid, kind text, subject text, payload jsonb, due_at timestamptz)
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  return query
    with due as (
      select a.environment_id, a.id from agenda a
      where a.wake_at <= clock_timestamp()
      order by a.wake_at
      limit at_most
      for update skip locked
    )
    delete from agenda a using due
    where a.environment_id = due.environment_id and a.id = due.id
    returning a.environment_id, a.kind, a.subject, a.payload, a.due_at;
end
$$;
alter function take_due_agenda(integer) owner to jara_lookup;
revoke execute on function take_due_agenda(integer) from public;
grant execute on function take_due_agenda(integer) to jara_app;
