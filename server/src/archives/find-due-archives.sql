-- Where there is something to do: events that are old enough by real time and by their environment's clock, and rows of
-- archived events that are still there. Without a moment for a kind of environment nothing of that kind is too old.
create or replace function find_due_archives(live_before timestamptz, sandbox_before timestamptz, at_most integer)
  returns table (environment_id uuid, kind text, oldest timestamptz)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select e.id, e.kind, first.created_at
    from environments e
    left join environment_clocks c on c.environment_id = e.id
    left join lateral (
      select a.last_position, a.removed_through from event_archives a where a.environment_id = e.id
      order by a.first_position desc limit 1) as archived on true
    left join lateral (
      select o.created_at from events o
      where o.environment_id = e.id and o.list_position > coalesce(archived.last_position, 0)
      order by o.list_position limit 1) as first
      on first.created_at < case e.kind when 'LIVE' then live_before else sandbox_before end
        + least(interval '0', time_on(c, now()) - now())
    where first.created_at is not null or archived.removed_through < archived.last_position
    order by first.created_at limit at_most;
  end;
alter function find_due_archives owner to jara_lookup;
revoke execute on function find_due_archives from public;
grant execute on function find_due_archives to jara_app;
