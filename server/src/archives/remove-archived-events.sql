-- Removes rows of the environment that the transaction has entered, of archived events and of no others, oldest first.
-- Returns how many places of the log it went ahead: 0 when nothing is left to remove.
create or replace function remove_archived_events(at_most integer) returns integer
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
alter function remove_archived_events owner to jara_lookup;
revoke execute on function remove_archived_events from public;
grant execute on function remove_archived_events to jara_app;
