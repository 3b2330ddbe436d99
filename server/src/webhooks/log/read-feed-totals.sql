-- How many events and resends each of these environments has, for readers of the feed that wait for the next.
create or replace function read_feed_totals(wanted uuid[])
  returns table (environment_id uuid, events bigint, resends bigint)
  language sql stable security definer set search_path = public, pg_temp
  begin atomic
    select c.environment_id, coalesce(max(c.total) filter (where c.resource = 'events'), 0),
      coalesce(max(c.total) filter (where c.resource = 'event_resends'), 0)
    from list_counters c
    where c.environment_id = any (wanted) and c.resource in ('events', 'event_resends')
    group by c.environment_id;
  end;
alter function read_feed_totals owner to jara_lookup;
revoke execute on function read_feed_totals from public;
grant execute on function read_feed_totals to jara_app;
