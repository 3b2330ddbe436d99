-- Lists of events with a filter count over this index; spans of time alone go by the ids, which carry their time. It
-- holds what the sequencer has numbered, so that writing an event does not touch it.
create index events_by_name on events (environment_id, event, created_at) where list_position is not null;

-- How many events these environments have. One question a process serves everybody who waits at the feed, whatever
-- their number, and no waiter holds a connection.
create function read_event_totals(wanted uuid[]) returns table (environment_id uuid, total bigint)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select c.environment_id, c.total from list_counters c
    where c.environment_id = any (wanted) and c.resource = 'events';
  end;
alter function read_event_totals(uuid[]) owner to jara_lookup;
revoke execute on function read_event_totals(uuid[]) from public;
grant execute on function read_event_totals(uuid[]) to jara_app;
