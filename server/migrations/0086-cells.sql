-- Cells: several databases of the same form, and each environment lives in one of them. The first one (DATABASE_URL)
-- is home: it keeps what belongs to no environment, and says where each one lives.

alter table environments
  -- Which cell serves the environment; null is home. Only home's word counts.
  add column cell text constraint environments_cell_check check (cell ~ '^[a-z][a-z0-9-]{0,30}$'),
  -- Where it is on its way to; null when it is not. Only home's word counts.
  add column moving_to text constraint environments_moving_to_check check (moving_to ~ '^[a-z][a-z0-9-]{0,30}$'),
  -- Whether this very database lets anybody in: 'draining' for everybody but those who take up work, 'leaving' for
  -- readers only, 'arriving' and 'gone' for nobody.
  add column closed text constraint environments_closed_check
    check (closed in ('draining', 'leaving', 'arriving', 'gone')),
  -- Which run of the mover closed it: one that was overtaken by another moves no state any more.
  add column closed_by uuid;

-- Nearly always empty.
create index environments_closed on environments (id) where closed is not null;

-- Refuses an environment that is closed here. A transaction that can write nothing may read what is on its way out. The
-- mover itself goes everywhere.
create function refuse_closed_environment(state text) returns void
  language plpgsql stable as $$
begin
  if state = 'draining' or current_setting('jara.mover', true) = 'on' then
    return;
  end if;
  if state = 'leaving' and current_setting('transaction_read_only') = 'on' then
    return;
  end if;
  raise exception 'the environment is being moved'
    using errcode = case when state = 'leaving' then 'JA002' else 'JA003' end;
end
$$;

create or replace function enter_environment(wanted uuid, writes boolean, numbered boolean)
  returns table (mode text, offset_ms bigint, frozen_at timestamptz, seed text, transaction_number bigint, kind text)
  language plpgsql as $$
declare
  found_clock environment_clocks;
  found_kind text;
  found_closed text;
begin
  perform set_config('jara.environment_id', wanted::text, true);
  select e.kind, e.closed into found_kind, found_closed from environments e where e.id = wanted;
  if found_closed is not null then
    perform refuse_closed_environment(found_closed);
  end if;
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
    found_clock.frozen_at, found_clock.seed, coalesce(found_clock.transaction_number, 0), found_kind;
end
$$;

-- These two enter an environment by themselves.
create or replace function set_environment_clock(wanted uuid, new_mode text, at timestamptz, new_seed text,
  will_resume boolean)
  returns timestamptz
  language plpgsql as $$
declare
  clock environment_clocks;
  moment timestamptz;
  found_closed text;
begin
  perform set_config('jara.environment_id', wanted::text, true);
  select e.closed into found_closed from environments e where e.id = wanted;
  if found_closed is not null then
    perform refuse_closed_environment(found_closed);
  end if;
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

create or replace function step_along_agenda(wanted uuid, until timestamptz, done_ids bigint[], done_bookings integer[],
  skipped bigint[], shared_kinds text[], at_most integer)
  returns table (id bigint, booking integer, kind text, subject text, payload jsonb, due_at timestamptz, stream text)
  language plpgsql as $$
declare
  clock environment_clocks;
  next_due timestamptz;
  found_closed text;
begin
  perform set_config('jara.environment_id', wanted::text, true);
  select e.closed into found_closed from environments e where e.id = wanted;
  if found_closed is not null then
    perform refuse_closed_environment(found_closed);
  end if;
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
      select n.*, bool_and(n.kind = any (shared_kinds)) over (order by n.id) as in_line,
        row_number() over (order by n.id) as place
      from near n
    )
    select j.id, j.booking, j.kind, j.subject, j.payload, j.due_at, j.stream from judged j
    where j.in_line or j.place = 1 order by j.id;
end
$$;

-- An environment that lives elsewhere lacks nothing here.
create or replace function find_environments_lacking_accounts(purposes text[]) returns setof uuid
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select e.id from environments e
    where e.closed is null
      and (select count(*) from accounts a
        where a.environment_id = e.id and not a.has_floor and a.purpose = any (purposes)) < cardinality(purposes)
    order by e.id;
  end;

-- Hides closed environments from the functions that look across tenants, so that no worker touches what is being moved,
-- and keeps the simulated rails from writing in their books. Called only where there are cells: with one database
-- every plan stays as it is. Keys and pages are found all the while: whose they are does not change by a move, and a
-- caller must be told to come again, not that the key is unknown.
create procedure hide_closed_environments()
  language plpgsql as $$
declare
  target record;
  -- A transaction that has come in may call functions of the look-up role, as those of the ledger. The rest is a
  -- sub-select, of which the planner expects half of the rows. As a comparison it would think that nothing is left,
  -- because it was told to expect many rows of every tenant.
  hidden text := '(%1$I = current_environment() or %1$I not in (select e.id from environments e'
    ' where e.closed is not null and current_setting(''jara.mover'', true) is distinct from ''on''))';
  -- The simulated rails enter by themselves, past the door.
  shut text := '%1$I not in (select e.id from environments e'
    ' where e.closed <> ''draining'' and current_setting(''jara.mover'', true) is distinct from ''on'')';
begin
  perform pg_advisory_xact_lock(hashtext('jara.hide_closed_environments'));
  for target in
    select c.oid::regclass as name, a.attname as tenant, n.nspname <> 'public' as is_simulated,
      n.nspname = 'public' and c.relname in
        ('api_keys', 'checkout_sessions', 'card_links', 'plan_pages', 'plan_visits') as opens_doors
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
    where c.relkind in ('r', 'p') and not c.relispartition and c.relrowsecurity
      and ((n.nspname = 'public' and a.attname = 'environment_id')
        or (n.nspname like 'simulated\_%' and a.attname = 'sandbox'))
      and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'closed')
    order by c.oid
  loop
    if target.opens_doors then
      execute format('create policy closed on %s as restrictive for update to jara_lookup using (%s)',
        target.name, format(hidden, target.tenant));
    elsif target.is_simulated then
      execute format('create policy closed on %s as restrictive for all to jara_app, jara_lookup using (%s)',
        target.name, format(shut, target.tenant));
    else
      execute format('create policy closed on %s as restrictive for all to jara_lookup using (%s)',
        target.name, format(hidden, target.tenant));
    end if;
  end loop;
end
$$;

-- Lets this database count sessions in a range of its own, unless it does already.
create procedure count_sessions_from(first bigint)
  language plpgsql as $$
begin
  perform setval('transfer_session_numbers', s.last_value + first) from transfer_session_numbers s
  where s.last_value < first;
end
$$;
