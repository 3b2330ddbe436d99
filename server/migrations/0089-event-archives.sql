-- Events that were taken to files. A row is one file, and its commit is the moment from which its events are archived:
-- readers go by it at once, and the rows below it are removed in steps (see archives/README.md).
create table event_archives (
  environment_id uuid not null references environments (id),
  -- The file has every event from this place of the log to the last one, so the files of an environment have no gaps.
  first_position bigint not null check (first_position > 0),
  last_position bigint not null,
  last_event_id uuid not null,
  -- The earliest and the latest moment of its events, in the environment's time.
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- Below the folder of archives.
  file text not null,
  bytes bigint not null check (bytes > 0),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  written_at timestamptz not null default clock_timestamp(),
  -- Up to here the rows are gone.
  removed_through bigint not null,
  primary key (environment_id, first_position),
  constraint event_archives_in_order check (last_position >= first_position and last_at >= first_at
    and removed_through between first_position - 1 and last_position)
);
call protect_tenant_table('event_archives');
grant select, insert on event_archives to jara_app;
grant update (removed_through) on event_archives to jara_lookup;

-- Where there is something to do: events that are old enough by real time and by their environment's clock, and rows of
-- archived events that are still there. Without a moment for a kind of environment nothing of that kind is too old.
create function find_due_archives(live_before timestamptz, sandbox_before timestamptz, at_most integer)
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
      on first.created_at < case e.kind when 'LIVE' then live_before else sandbox_before end + least(interval '0',
        case when c.mode = 'frozen' then c.frozen_at - clock_timestamp()
          else coalesce(c.offset_ms, 0) * interval '1 millisecond' end)
    where e.closed is null and (first.created_at is not null or archived.removed_through < archived.last_position)
    order by first.created_at limit at_most;
  end;
alter function find_due_archives(timestamptz, timestamptz, integer) owner to jara_lookup;
revoke execute on function find_due_archives(timestamptz, timestamptz, integer) from public;
grant execute on function find_due_archives(timestamptz, timestamptz, integer) to jara_app;

-- Removes rows of the environment that the transaction has entered, of archived events and of no others, oldest first.
-- Returns how many places of the log it went ahead: 0 when nothing is left to remove.
create function remove_archived_events(at_most integer) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  own constant uuid := current_environment();
  target event_archives;
  gone uuid[];
  through bigint;
begin
  -- One at a time: whoever comes second has nothing to do.
  select a.* into target from event_archives a
  where a.environment_id = own and a.removed_through < a.last_position
  order by a.first_position limit 1 for update skip locked;
  if not found then
    return 0;
  end if;
  through := least(target.last_position, target.removed_through + at_most);
  select coalesce(array_agg(e.id), '{}') into gone from events e
  where e.environment_id = own and e.list_position > target.removed_through and e.list_position <= through;
  delete from webhook_attempts t where t.environment_id = own and t.event_id = any (gone);
  delete from webhook_deliveries d where d.environment_id = own and d.event_id = any (gone);
  delete from events e where e.environment_id = own and e.id = any (gone);
  update event_archives a set removed_through = through
  where a.environment_id = own and a.first_position = target.first_position;
  return through - target.removed_through;
end
$$;
alter function remove_archived_events(integer) owner to jara_lookup;
revoke execute on function remove_archived_events(integer) from public;
grant execute on function remove_archived_events(integer) to jara_app;
