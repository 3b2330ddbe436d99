-- Takes a frozen sandbox's clock one step ahead: forgets the entries that were done, moves to the next moment at which
-- something is due, and returns what is due then. Entries of one moment come together as long as their kinds allow it.
create or replace function step_along_agenda(wanted uuid, until timestamptz, done_ids bigint[], done_bookings integer[],
  skipped bigint[], shared_kinds text[], at_most integer)
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
      select n.*, bool_and(n.kind = any (shared_kinds)) over (order by n.id) as in_line,
        row_number() over (order by n.id) as place
      from near n
    )
    select j.id, j.booking, j.kind, j.subject, j.payload, j.due_at, j.stream from judged j
    where j.in_line or j.place = 1 order by j.id;
end
$$;
grant execute on function step_along_agenda to jara_app;
