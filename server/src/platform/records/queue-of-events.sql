-- Events without a place in the log. A sandbox's clock may be moved, so their age is reckoned by it.
create or replace view queue_of_events with (security_invoker = true) as
  select e.environment_id, e.created_at + (clock_timestamp() - time_on(c, clock_timestamp())) as since,
    null::timestamptz as booked_for
  from events e
  left join environment_clocks c on c.environment_id = e.environment_id
  where e.list_position is null;
grant select on queue_of_events to jara_lookup;
