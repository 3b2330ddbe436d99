-- Every time that somebody had an event sent again. A reader of the feed who asks for resends sees the event again at
-- this place (see webhooks/feed.ts).
create table event_resends (
  environment_id uuid not null references environments (id),
  -- In the order of commits: it is taken from the list's counter, which stays locked until then.
  list_position bigint not null check (list_position > 0),
  event_id uuid not null,
  -- The last position that an event had by then. In the feed the resend comes after that event.
  after_event bigint not null check (after_event > 0),
  -- In the environment's time.
  created_at timestamptz not null,
  primary key (environment_id, list_position)
);
create index event_resends_by_event on event_resends (environment_id, after_event, list_position);
call protect_tenant_table('event_resends');
grant select, insert on event_resends to jara_app;

-- How long the two lists of the feed are. One question a process serves everybody who waits there, whatever their
-- number, and no waiter holds a connection.
drop function read_event_totals(uuid[]);
create function read_feed_totals(wanted uuid[]) returns table (environment_id uuid, events bigint, resends bigint)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select c.environment_id, coalesce(max(c.total) filter (where c.resource = 'events'), 0),
      coalesce(max(c.total) filter (where c.resource = 'event_resends'), 0)
    from list_counters c
    where c.environment_id = any (wanted) and c.resource in ('events', 'event_resends')
    group by c.environment_id;
  end;
alter function read_feed_totals(uuid[]) owner to jara_lookup;
revoke execute on function read_feed_totals(uuid[]) from public;
grant execute on function read_feed_totals(uuid[]) to jara_app;
